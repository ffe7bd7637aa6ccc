// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that the peers that we are measured beside are nobody's dependency.
let house: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

// The library that brings Pixels, ImageCodecs and Transfers along, which are no products by themselves.
let photoPipeline = Target.Dependency.product(name: "PhotoPipeline", package: "ClassicPhotos")

func bench(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(name: name, dependencies: dependencies, swiftSettings: house)
}

let package = Package(
    name: "Benchmarks",
    dependencies: [.package(name: "ClassicPhotos", path: "..")],
    targets: [
        // Peers.
        .systemLibrary(name: "BenchVips", pkgConfig: "vips", providers: [.apt(["libvips-dev"])]),
        .target(name: "CVipsRecomb", dependencies: ["BenchVips"]),
        .target(name: "CScaledJPEG", linkerSettings: [.linkedLibrary("jpeg")]),
        .target(name: "CRawCurlLoop", linkerSettings: [.linkedLibrary("curl")]),
        .target(name: "COneTBB", linkerSettings: [.linkedLibrary("tbb")]),
        .target(name: "CHeap"),
        // The test servers are no product; the folder here is a link to them.
        .target(name: "BenchServers", path: "Sources/TestServers", swiftSettings: house),

        // What reports have in common.
        .target(name: "BenchSupport", swiftSettings: house),

        bench("bench-operations", [.product(name: "Operations", package: "ClassicPhotos"), "BenchSupport", "COneTBB"]),
        bench("bench-filters", [photoPipeline, "CVipsRecomb"]),
        bench("bench-codecs", [photoPipeline, "CScaledJPEG"]),
        bench("bench-transfers", [photoPipeline, "CRawCurlLoop", "BenchServers"]),
        bench("bench-catalog", [photoPipeline, "BenchSupport"]),
        bench(
            "bench-browse",
            [
                photoPipeline, .product(name: "PhotoBrowser", package: "ClassicPhotos"),
                .product(name: "OperationsTesting", package: "ClassicPhotos"), "BenchServers", "BenchSupport", "CHeap",
            ]),
    ],
    cxxLanguageStandard: .cxx17
)
