import FoundationEssentials
import Testing

@testable import Transfers

@Suite struct AddressGuardTests {
    private func address(_ text: String) throws -> IPAddress { try #require(IPAddress(text), "\(text)") }

    private func reach(_ text: String) throws -> AddressRange.Reach {
        let address = try address(text)
        let target = AddressGuard.Target(host: text)
        if AddressGuard.open.refusal(of: address, host: text, for: target) != nil { return .never }
        return AddressGuard.closed.refusal(of: address, host: text, for: target) == nil ? .global : .special
    }

    @Test func everyRangeOfTheTableIsARange() {
        #expect(AddressRange.registry.count == 57)
        #expect(Set(AddressRange.registry.map(\.description)).count == 57)
    }

    @Test(arguments: AddressRange.registry)
    func firstLastAndNeighbours(range: AddressRange) throws {
        let first = range.first
        let make = first.version == .v4 ? { IPAddress(v4: UInt32($0)) } : { IPAddress(v6: $0) }
        let last = make(first.bits | range.hostMask)
        #expect(range.contains(first) && range.contains(last))
        if first.bits > 0 { #expect(!range.contains(make(first.bits - 1))) }
        if last.bits < (first.version == .v4 ? UInt128(UInt32.max) : .max) {
            #expect(!range.contains(make(last.bits + 1)))
        }
        // The other version is never meant, whatever its number.
        #expect(
            !range.contains(
                first.version == .v4 ? IPAddress(v6: first.bits) : IPAddress(v4: UInt32(truncatingIfNeeded: first.bits))
            ))
        for address in [first, last] {
            let narrowest = try #require(AddressRange.narrowest(with: address))
            #expect(narrowest.prefixLength >= range.prefixLength)
            #expect(narrowest == range || range.contains(narrowest.first))
        }
    }

    /// First and last of each range and what lies just outside, written down apart from the table.
    @Test(
        arguments: [
            ("0.0.0.0", .special), ("0.255.255.255", .special), ("1.0.0.0", .global),
            ("9.255.255.255", .global), ("10.0.0.0", .special), ("10.255.255.255", .special), ("11.0.0.0", .global),
            ("100.63.255.255", .global), ("100.64.0.0", .special), ("100.127.255.255", .special),
            ("100.128.0.0", .global),
            ("100.100.100.199", .special), ("100.100.100.200", .never), ("100.100.100.201", .special),
            ("126.255.255.255", .global), ("127.0.0.0", .special), ("127.255.255.255", .special),
            ("128.0.0.0", .global),
            ("168.63.129.15", .global), ("168.63.129.16", .never), ("168.63.129.17", .global),
            ("169.253.255.255", .global), ("169.254.0.0", .never), ("169.254.169.254", .never),
            ("169.254.255.255", .never), ("169.255.0.0", .global),
            ("172.15.255.255", .global), ("172.16.0.0", .special), ("172.31.255.255", .special),
            ("172.32.0.0", .global),
            ("191.255.255.255", .global), ("192.0.0.0", .special), ("192.0.0.9", .global), ("192.0.0.10", .global),
            ("192.0.0.11", .special), ("192.0.0.192", .never), ("192.0.0.255", .special), ("192.0.1.0", .global),
            ("192.0.1.255", .global), ("192.0.2.0", .special), ("192.0.2.255", .special), ("192.0.3.0", .global),
            ("192.31.196.1", .global), ("192.88.98.255", .global), ("192.88.99.0", .special), ("192.88.100.0", .global),
            ("192.167.255.255", .global), ("192.168.0.0", .special), ("192.168.255.255", .special),
            ("192.169.0.0", .global),
            ("198.17.255.255", .global), ("198.18.0.0", .special), ("198.19.255.255", .special),
            ("198.20.0.0", .global),
            ("198.51.99.255", .global), ("198.51.100.0", .special), ("198.51.101.0", .global),
            ("203.0.112.255", .global), ("203.0.113.0", .special), ("203.0.114.0", .global),
            ("223.255.255.255", .global), ("224.0.0.0", .special), ("239.255.255.255", .special),
            ("240.0.0.0", .special), ("255.255.255.254", .special), ("255.255.255.255", .special),
            ("8.8.8.8", .global),
        ] as [(String, AddressRange.Reach)])
    func ipv4(text: String, expected: AddressRange.Reach) throws {
        #expect(try reach(text) == expected)
        // Mapped into IPv6 nothing becomes more reachable.
        #expect(try reach("::ffff:\(text)") == (expected == .never ? .never : .special))
    }

    @Test(
        arguments: [
            ("::", .special), ("::1", .special), ("::2", .special), ("::1:0:0:0", .special), ("ff::1", .special),
            ("100::", .special), ("100:0:0:1::", .special), ("1fff:ffff::", .special), ("2000::", .global),
            ("2001::", .special), ("2001:0:ffff:ffff::", .special), ("2001:1::", .special), ("2001:1::1", .global),
            ("2001:1::3", .global), ("2001:1::4", .special), ("2001:2::", .special), ("2001:3::", .global),
            ("2001:4:112::", .global), ("2001:4:113::", .special), ("2001:10::", .special), ("2001:20::", .global),
            ("2001:2f:ffff::", .global), ("2001:30::", .global), ("2001:40::", .special), ("2001:1ff:ffff::", .special),
            ("2001:200::", .global), ("2001:db7:ffff::", .global), ("2001:db8::", .special),
            ("2001:db8:ffff::", .special),
            ("2001:db9::", .global), ("2620:4f:8000::1", .global), ("2606:4700::1111", .global),
            ("3ffe:ffff::", .global), ("3fff::", .special), ("3fff:fff:ffff::", .special), ("3fff:1000::", .global),
            ("4000::", .special), ("5f00::1", .special), ("fbff::", .special), ("fc00::", .special),
            ("fdff::", .special),
            ("fd00:ec2::253", .special), ("fd00:ec2::254", .never), ("fd20:ce::254", .never),
            ("fe7f:ffff::", .special), ("fe80::", .never), ("febf:ffff::", .never), ("fec0::", .special),
            ("ff02::1", .special),
        ] as [(String, AddressRange.Reach)])
    func ipv6(text: String, expected: AddressRange.Reach) throws {
        #expect(try reach(text) == expected)
    }

    /// IPv4 within IPv6: what it leads to counts, too.
    @Test(
        arguments: [
            // NAT64: public hosts have such addresses in networks without IPv4.
            ("64:ff9b::8.8.8.8", .global), ("64:ff9b::127.0.0.1", .special), ("64:ff9b::10.1.2.3", .special),
            ("64:ff9b::169.254.169.254", .never), ("64:ff9b:0:0:0:1::1", .special),
            // Local NAT64 at 96, 64, 56 and 48 bits.
            ("64:ff9b:1::169.254.169.254", .never), ("64:ff9b:1:0:a9:fea9:fe00:0", .never),
            ("64:ff9b:1:a9:00fe:a9fe::", .never), ("64:ff9b:1:a9fe:a9:fe00::", .never),
            ("64:ff9b:1::808:808", .special),
            // 6to4, compatible, translated, Teredo's server and client, ISATAP.
            ("2002:a9fe:a9fe::1", .never), ("2002:808:808::1", .special), ("::169.254.1.1", .never),
            ("::8.8.8.8", .special),
            ("::ffff:0:169.254.1.1", .never), ("2001:0:a9fe:a9fe::1", .never), ("2001:0:808:808::5601:5601", .never),
            ("2001:0:808:808::f7f7:f7f7", .special), ("2606:4700::5efe:127.0.0.1", .special),
            ("2606:4700::200:5efe:169.254.1.1", .never), ("2606:4700::5efe:8.8.8.8", .global),
        ] as [(String, AddressRange.Reach)])
    func embedded(text: String, expected: AddressRange.Reach) throws {
        #expect(try reach(text) == expected)
    }

    @Test func whatAServerSentMayNameThatVeryServer() throws {
        let url = try #require(URL(string: "http://Photos.lan:8080/catalog"))
        let own = AddressGuard(sender: url, address: try address("192.168.1.5"))
        func refusal(_ text: String, _ host: String) throws -> String? {
            own.refusal(of: try address(text), host: host, for: AddressGuard.Target(host: host))?.purpose
        }
        #expect(try refusal("192.168.1.5", "photos.lan") == nil)
        #expect(try refusal("8.8.8.8", "elsewhere.org") == nil)
        // Another name, another address behind the same name.
        #expect(try refusal("192.168.1.5", "router.lan") == "private")
        #expect(try refusal("127.0.0.1", "photos.lan") == "loopback")
        let photos = AddressGuard.Target(host: "photos.lan")
        let far = AddressGuard(sender: url, address: nil)
        #expect(far.refusal(of: try address("192.168.1.5"), host: "photos.lan", for: photos) != nil)
        let cloud = AddressGuard(sender: url, address: try address("169.254.169.254"))
        #expect(cloud.refusal(of: try address("169.254.169.254"), host: "photos.lan", for: photos)?.reach == .never)
    }

    /// What a list on this machine may reach: whom it names itself, and nobody else in special ranges.
    @Test(arguments: [
        // The address asked for and where it led; then where a redirect or a later answer leads.
        ("photos.example.org", "8.8.8.8", "photos.example.org", "10.0.0.1", true),
        ("photos.example.org", "8.8.8.8", "photos.example.org", "127.0.0.1", true),
        ("photos.example.org", "8.8.8.8", "localhost", "127.0.0.1", true),
        ("photos.example.org", "8.8.8.8", "192.168.1.5", "192.168.1.5", true),
        ("photos.example.org", "8.8.8.8", "example.net", "9.9.9.9", false),
        ("8.8.8.8", "8.8.8.8", "192.168.1.5", "192.168.1.5", true),
        ("192.168.1.5", "192.168.1.5", "192.168.1.5", "192.168.1.5", false),
        ("192.168.1.5", "192.168.1.5", "nas.lan", "192.168.1.5", false),
        ("192.168.1.5", "192.168.1.5", "nas.lan", "192.168.1.6", true),
        ("192.168.1.5", "192.168.1.5", "192.168.1.6", "192.168.1.6", true),
        ("[::1]", "::1", "[::1]", "::1", false), ("[::1]", "::1", "127.0.0.1", "127.0.0.1", true),
        ("nas", "192.168.1.5", "nas", "192.168.1.6", false), ("nas", "192.168.1.5", "nas.lan", "192.168.1.5", false),
        ("nas", "192.168.1.5", "169.254.169.254", "169.254.169.254", true),
        ("169.254.169.254", "169.254.169.254", "169.254.169.254", "169.254.169.254", true),
    ])
    func whatIsNamed(asked: String, led: String, host: String, leads: String, isRefused: Bool) throws {
        let target = AddressGuard.Target(host: asked, address: try address(led))
        let refusal = AddressGuard.named.refusal(of: try address(leads), host: host, for: target)
        #expect((refusal != nil) == isRefused)
        var opened = AddressGuard.named
        opened.opensSpecialRanges = true
        let isNever = try address(leads).bits == 0xA9FE_A9FE
        #expect((opened.refusal(of: try address(leads), host: host, for: target) != nil) == isNever)
    }

    @Test(arguments: [
        ("localhost", true), ("nas", true), ("nas.lan", true), ("a.b.home.arpa", true), ("app.localhost", true),
        ("printer.local", true), ("x.internal", true), ("shop.test", true), ("nas.lan.", true),
        ("example.org", false), ("lan.example.org", false), ("arpa.example", false), ("home.example.com", false),
        ("1.2.168.192.in-addr.arpa", false),
    ])
    func privateNames(name: String, isPrivate: Bool) { #expect(PrivateName.isPrivate(name) == isPrivate) }

    @Test(arguments: ["192.0.2.1", "2001:db8::1", "::ffff:192.0.2.1", "::", "255.255.255.255"])
    func textBothWays(text: String) throws {
        #expect(try address(text).description == text)
    }

    @Test(arguments: ["", "localhost", "1.2.3", "1.2.3.4.5", "01.2.3.4", "[::1]", "fe80::1%eth0", "1.2.3.4/8"])
    func whatIsNoAddress(text: String) {
        #expect(IPAddress(text) == nil)
    }
}
