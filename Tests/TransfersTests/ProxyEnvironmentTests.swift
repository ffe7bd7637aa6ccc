import Testing

@testable import Transfers

@Suite struct ProxyEnvironmentTests {
    private func proxies(_ variables: [String: String]) -> [String?] {
        let environment = ProxyEnvironment { variables[$0] }
        return [environment.proxy(for: "http"), environment.proxy(for: "https"), environment.exceptions]
    }

    @Test(
        arguments: [
            ([:], [nil, nil, nil]), (["http_proxy": "a"], ["a", nil, nil]), (["https_proxy": "a"], [nil, "a", nil]),
            (["HTTPS_PROXY": "a"], [nil, "a", nil]), (["HTTP_PROXY": "a"], [nil, nil, nil]),
            (["ALL_PROXY": "a"], ["a", "a", nil]), (["all_proxy": "a", "ALL_PROXY": "b"], ["a", "a", nil]),
            (["http_proxy": "a", "all_proxy": "b"], ["a", "b", nil]),
            (["http_proxy": "", "all_proxy": "b"], ["b", "b", nil]),
            (["all_proxy": "a", "no_proxy": "b"], ["a", "a", "b"]),
            (["all_proxy": "a", "NO_PROXY": "b"], ["a", "a", "b"]),
            (["all_proxy": "a", "no_proxy": "*"], [nil, nil, "*"]),
            (["all_proxy": "a", "no_proxy": ""], ["a", "a", nil]),
        ] as [([String: String], [String?])])
    func variables(variables: [String: String], expected: [String?]) {
        #expect(proxies(variables) == expected)
    }
}
