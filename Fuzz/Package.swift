// swift-tools-version: 6.2
import PackageDescription

// A package of its own, because its programs get their `main` from libFuzzer: `Scripts/fuzz` builds and runs them.
let house: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .unsafeFlags(["-parse-as-library"]),
]

func fuzz(_ name: String) -> Target {
    .executableTarget(
        name: name, dependencies: [.product(name: "PhotoPipeline", package: "ClassicPhotos")], swiftSettings: house)
}

let package = Package(
    name: "Fuzz",
    dependencies: [.package(name: "ClassicPhotos", path: "..")],
    targets: ["decode", "passes", "frames", "headers", "filters", "catalogs", "answers", "addresses"].map {
        fuzz("fuzz-\($0)")
    }
)
