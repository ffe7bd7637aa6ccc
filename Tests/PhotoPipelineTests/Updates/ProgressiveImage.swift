import Foundation
import ImageCodecs
import Pixels

/// A progressive JPEG of 160 x 120 pixels, which libvips' `jpegsave` wrote of waves over a gradient; this package writes
/// none.
enum ProgressiveImage {
    static let file = Data(base64Encoded: text, options: .ignoreUnknownCharacters) ?? Data()

    /// The same with as many bytes more before its picture.
    static func padded(by bytes: Int) -> Data {
        var padding = Data()
        while padding.count < bytes {
            let length = min(65_535, max(4, bytes - padding.count))
            padding += [0xFF, 0xFE, UInt8(length >> 8), UInt8(length & 255)] + Data(count: length - 2)
        }
        return file.prefix(2) + padding + file.dropFirst(2)
    }

    /// Where the scans of a file end.
    static func scanEnds(of file: Data) -> [Int] {
        let bytes = [UInt8](file)
        let marks = bytes.indices.dropLast().filter { bytes[$0] == 0xFF && [0xDA, 0xD9].contains(bytes[$0 + 1]) }
        return marks.dropFirst().map { $0 + 2 }
    }

    /// What the first bytes of a file show.
    static func pass(of file: Data, bytes: Int, longestSide: Int? = nil) throws -> PixelBuffer? {
        let decoder = ProgressiveDecoder(longestSide: longestSide)
        _ = decoder.append(file.prefix(bytes))
        return try decoder.nextPass()
    }

    private static let text = """
        /9j/2wBDACAWGBwYFCAcGhwkIiAmMFA0MCwsMGJGSjpQdGZ6eHJmcG6AkLicgIiuim5woNqirr7EztDOfJri8uDI8LjKzsb/2wBDASIk
        JDAqMF40NF7GhHCExsbGxsbGxsbGxsbGxsbGxsbGxsbGxsbGxsbGxsbGxsbGxsbGxsbGxsbGxsbGxsbGxsb/wgARCAB4AKADASIAAhEB
        AxEB/8QAFwABAQEBAAAAAAAAAAAAAAAAAgEAA//EABcBAQEBAQAAAAAAAAAAAAAAAAEEAgP/2gAMAwEAAhADEAAAAeT5rsKQjjoOuQ1Z
        iZ0g8T1I8s6IaQmuDz3TUS8j1A844McQpSjZCNMItc2PR82KmgzGUS0wisUKUY7LDzPQjynTCEmITwg9AMPU0y8Z0ghVDHkOlOWSEVRR
        6vkx6UYacRphplUNFoMXZRhREF4RWhKSHnOoHkeoGDsaJeVdEtITlBJQHaYW+bHoudFQkbJhkOolb5MejCGmkYFBNqGJMee6QeQ7AeWd
        HltqJa9hV2GHYTNhS2Hoths2EnYddh//xAAYEAEBAQEBAAAAAAAAAAAAAAARAEBQMP/aAAgBAQABBQLwIjURGw6JGwiNREdEiNREajL/
        AP/EABQRAQAAAAAAAAAAAAAAAAAAAGD/2gAIAQMBAT8BIf/EABQRAQAAAAAAAAAAAAAAAAAAAGD/2gAIAQIBAT8BIf/EABQQAQAAAAAA
        AAAAAAAAAAAAAID/2gAIAQEABj8CFn//xAAYEAEBAQEBAAAAAAAAAAAAAAABABEQIP/aAAgBAQABPyE6zzLI6Mkkssgg6W2y228IjjMl
        lkQ4ZZZM9Ii222W3hEdyySSyyIEFnGekQ229Z5kEFlkkkllkEHW22W22GI6zzII4ZJJZM9Ii22W22GI6zJJJZwQmWTPSIttltll6QQWW
        SSWcEJlkzxbbbYYhttl7kEFlkklkkllkR1ZbbYYjrPEssiHDJJJ6RzbZbbbbeEdZJLOCEyySe7wiG22WXpFlkkklnGWQQeFtthiG222X
        pf/aAAwDAQACAAMAAAAQgk80IAoI00aiCuSCW6iyyuKSyqqKmO4oA4SuWOuiwQcMsIQIE0Q8w80U8ssw6uiWeu6uS4ii+++eeCee/8QA
        FREBAQAAAAAAAAAAAAAAAAAAAQD/2gAIAQMBAT8QGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGG
        GGGGGGIiIiIiL//EABURAQEAAAAAAAAAAAAAAAAAAAAB/9oACAECAQE/EKqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq
        qqqqqqr/xAAYEAEBAQEBAAAAAAAAAAAAAAABABARIP/aAAgBAQABPxCGhJgyGDsGGBILsojlchl5g0mwI0yF1K3ZTlGLlYOouEkV2r6x
        ThXYZz0N7LLHI0pXzVm0CZYcrTA5QykjCRpDwqwQkYNVhyuw5RnHkC00BWC6nsd1URyuwXB4A6FpoDIXU9wcDE9DgXDQldq+ICCES6LT
        A5QyyxzB8IHhASQMMGHC0jgYBASQ8BPALgEkEwZTwI7RYhAgeQLSNNoGLg6DyMHAsQv/2Q==
        """
}
