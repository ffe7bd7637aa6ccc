import Testing

@testable import Transfers

@Suite struct StoreXMLTests {
    private func parse(_ text: String) -> StoreXML? { StoreXML.parse(Array(text.utf8)) }

    @Test func anElementHasItsTextAndThoseInIt() throws {
        let list = try #require(
            parse("<?xml version='1.0'?><s:List xmlns:s='a'><Key>a&amp;b</Key><!-- no --><Key>c</Key><Size/></s:List>"))
        #expect(list.name == "List")
        #expect(list.all("Key").map(\.text) == ["a&b", "c"])
        #expect(list["Size"]?.isEmpty == true)
        #expect(list["Other"] == nil)
    }

    @Test(arguments: ["", "text", "<a>", "<a></b>", "<a/><b", "<a>&other;</a>", "\u{0}<a/>", "<a b=c/>"])
    func whatIsNoXMLIsNil(_ text: String) {
        #expect(parse(text) == nil)
    }

    /// A million of them would end the program: an element frees those in it one inside the other.
    @Test func elementsOneInsideTheOtherHaveALimit() {
        func nested(_ depth: Int) -> String {
            String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
        }
        #expect(parse(nested(64)) != nil)
        #expect(parse(nested(65)) == nil)
        #expect(parse(nested(1_000_000)) == nil)
    }
}
