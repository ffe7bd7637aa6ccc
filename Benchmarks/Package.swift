// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that the peers that we are measured beside are nobody's dependency.

// Continuous integration makes warnings errors, as in the package itself.
let warnings: [SwiftSetting] =
    Context.environment["CLASSICPHOTOS_WARNINGS"] == "errors" ? [.treatAllWarnings(as: .error)] : []

let house: [SwiftSetting] =
    warnings + [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]

func ours(_ name: String) -> Target.Dependency { .product(name: name, package: "ClassicPhotos") }
let pipeline = ["PhotoPipeline", "Pixels", "ImageCodecs", "Transfers"].map(ours)

func bench(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(name: name, dependencies: dependencies, swiftSettings: house)
}

let package = Package(
    name: "Benchmarks",
    dependencies: [.package(name: "ClassicPhotos", path: "..")],
    targets: [
        // Peers.
        // By GLib's name, as in the package itself: vips.pc makes SwiftPM warn.
        .systemLibrary(name: "BenchVips", pkgConfig: "gobject-2.0", providers: [.apt(["libvips-dev"])]),
        .target(name: "CVipsRecomb", dependencies: ["BenchVips"]),
        .target(name: "CScaledJPEG", linkerSettings: [.linkedLibrary("jpeg")]),
        .target(name: "CRawCurlLoop", linkerSettings: [.linkedLibrary("curl")]),
        .target(name: "COneTBB", linkerSettings: [.linkedLibrary("tbb")]),
        .target(name: "CHeap"),
        // The test servers are no product; the folder here is a link to them. What packs bodies and reads data
        // sets needs libraries of the package.
        .target(
            name: "BenchServers", path: "Sources/TestServers", exclude: ["Packing.swift", "ParquetListing.swift"],
            swiftSettings: house),

        // What reports have in common.
        .target(name: "BenchSupport", swiftSettings: house),

        bench("bench-operations", [ours("Operations"), "BenchSupport", "COneTBB"]),
        bench("bench-filters", pipeline + ["CVipsRecomb"]),
        bench("bench-codecs", pipeline + ["CScaledJPEG"]),
        bench("bench-transfers", pipeline + ["CRawCurlLoop", "BenchServers"]),
        bench("bench-web", ["BenchServers"]),
        bench("bench-catalog", [ours("Catalogs"), "BenchSupport"]),
        bench(
            "bench-browse",
            pipeline + [
                ours("PhotoBrowser"), ours("OperationsTesting"), "BenchServers", "BenchSupport", "CHeap",
            ]),
    ],
    cxxLanguageStandard: .cxx17
)
