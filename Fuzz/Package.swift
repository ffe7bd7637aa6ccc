// swift-tools-version: 6.2
import PackageDescription

// A package of its own, because its programs get their `main` from libFuzzer: `Scripts/fuzz` builds and runs them.

// Continuous integration makes warnings errors, as in the package itself.
let warnings: [SwiftSetting] =
    Context.environment["CLASSICPHOTOS_WARNINGS"] == "errors" ? [.treatAllWarnings(as: .error)] : []

let house: [SwiftSetting] =
    warnings + [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .unsafeFlags(["-parse-as-library"]),
    ]

func fuzz(_ name: String, _ product: String = "PhotoPipeline") -> Target {
    .executableTarget(
        name: name, dependencies: [.product(name: product, package: "ClassicPhotos")], swiftSettings: house)
}

let package = Package(
    name: "Fuzz",
    dependencies: [.package(name: "ClassicPhotos", path: "..")],
    targets: [
        "decode", "passes", "frames", "headers", "filters", "answers", "addresses", "metadata", "robots", "store",
    ].map {
        fuzz("fuzz-\($0)")
    }
        + [fuzz("fuzz-catalogs", "Catalogs")]
)
