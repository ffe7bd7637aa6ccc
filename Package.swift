// swift-tools-version: 6.2
import PackageDescription

// Floors, from the ground up; a target depends only on targets of floors below its own.
// The GTK targets are declared only when the environment asks for them, because SwiftPM caches this
// manifest: make exports CLASSICPHOTOS_GTK=1 where pkg-config finds gtk4, libadwaita-1 and libsoup-3.0.
let withGtk = Context.environment["CLASSICPHOTOS_GTK"] == "1"

// A newer compiler or library than ours may warn of something else, and others are to build the package all the same.
// Continuous integration makes warnings errors.
let warnings: [SwiftSetting] =
    Context.environment["CLASSICPHOTOS_WARNINGS"] == "errors" ? [.treatAllWarnings(as: .error)] : []

let house: [SwiftSetting] =
    warnings + [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]

func room(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .target(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: house)
}

/// A room that touches GTK: all of it is on the thread that draws.
func gtkRoom(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: house + [.defaultIsolation(MainActor.self)])
}

func tests(_ name: String, _ dependencies: [Target.Dependency], resources: [Resource] = []) -> Target {
    .testTarget(name: name, dependencies: dependencies, resources: resources, swiftSettings: house)
}

/// A program to learn from; `swift run NAME` shows what it does.
func example(_ name: String, _ dependencies: [Target.Dependency], defines: [SwiftSetting] = []) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies, path: "Examples/\(name)", swiftSettings: house + defines)
}

/// A chapter of the tutorial; what it prints is beside it.
func chapter(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .executableTarget(
        name: name, dependencies: ["ListParts", "Operations"] + dependencies, path: "Examples/\(name)",
        exclude: ["output.txt"], swiftSettings: house)
}

// SwiftPM warns of each flag that it does not pass on, at every build of this package and of each that depends on it.
// vips.pc stands for forty packages, and some of them ask for -pthread. Of all that, CVips.h needs the folders of GLib;
// libvips' own headers lie in /usr/include, and the module map names the library.
#if os(Linux)
    let vipsConfig = "gobject-2.0"
#else
    let vipsConfig = "vips"
#endif

let package = Package(
    name: "ClassicPhotos",
    defaultLocalization: "en",
    products: [
        .library(name: "Operations", targets: ["Operations"]),
        .library(name: "OperationsTesting", targets: ["OperationsTesting"]),
        .library(name: "Pixels", targets: ["Pixels"]),
        .library(name: "ImageCodecs", targets: ["ImageCodecs"]),
        .library(name: "Transfers", targets: ["Transfers"]),
        .library(name: "Catalogs", targets: ["Catalogs"]),
        .library(name: "PhotoPipeline", targets: ["PhotoPipeline"]),
        .library(name: "PhotoBrowser", targets: ["PhotoBrowser"]),
        .library(name: "PhotoDevelopment", targets: ["PhotoDevelopment"]),
        .executable(name: "classicphotos", targets: ["classicphotos"]),
    ],
    targets: [
        // Floor 0: system libraries, and C of our own.
        .systemLibrary(name: "CVips", pkgConfig: vipsConfig, providers: [.apt(["libvips-dev"])]),
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CIDN2", pkgConfig: "libidn2", providers: [.apt(["libidn2-dev"])]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CZLib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"])]),
        .systemLibrary(name: "CBrotli", pkgConfig: "libbrotlidec", providers: [.apt(["libbrotli-dev"])]),
        .systemLibrary(name: "CWebP", pkgConfig: "libwebpdemux", providers: [.apt(["libwebp-dev"])]),
        .systemLibrary(name: "CArchive", pkgConfig: "libarchive", providers: [.apt(["libarchive-dev"])]),
        .systemLibrary(name: "CPSL", pkgConfig: "libpsl", providers: [.apt(["libpsl-dev"])]),
        .systemLibrary(name: "CXXHash", pkgConfig: "libxxhash", providers: [.apt(["libxxhash-dev"])]),
        .systemLibrary(name: "CGLib", pkgConfig: "glib-2.0", providers: [.apt(["libglib2.0-dev"])]),
        .target(name: "CJPEG", linkerSettings: [.linkedLibrary("jpeg")]),
        .target(name: "CPixelKernels"),
        .target(name: "CDecodeHelper", linkerSettings: [.linkedLibrary("seccomp")]),

        // Floor 1: the engine, pixels, and the programs' words.
        room("OperationsCore", []),
        room("Operations", ["OperationsCore"]),
        room("Pixels", ["CPixelKernels"]),
        room("Wording", ["CGLib"]),

        // Floor 2
        room("OperationsTesting", ["Operations", "OperationsCore"]),
        room("ImageCodecs", ["Pixels", "CVips", "CBrotli", "CGLib", "CJPEG", "CWebP", "CDecodeHelper"]),
        room(
            "Transfers",
            [
                "Operations", "CBrotli", "CCrypto", "CCurl", "CGLib", "CIDN2", "CSQLite", "CXXHash", "CZLib", "CZstd",
            ]),

        // Floor 3
        room("Catalogs", ["Operations", "Transfers", "CGLib", "CZstd"]),

        // Floor 4
        room("PhotoPipeline", ["Catalogs", "Operations", "Pixels", "ImageCodecs", "Transfers", "CZstd"]),

        // Floor 5
        room("PhotoBrowser", ["PhotoPipeline", "Catalogs", "ImageCodecs", "Operations", "Transfers", "CGLib"]),
        room(
            "PhotoDevelopment",
            [
                "PhotoPipeline", "Catalogs", "ImageCodecs", "Operations", "Transfers", "Wording", "CArchive", "CGLib",
                "CPSL", "CZstd",
            ]),

        // Floor 7: the programs.
        .executableTarget(
            name: "classicphotos",
            dependencies: [
                "PhotoDevelopment", "PhotoPipeline", "ImageCodecs", "Transfers", "Operations", "Wording", "CGLib",
            ],
            swiftSettings: house),

        // Develops with a slow decoder, for a measurement; not installed.
        .executableTarget(
            name: "develop-driver", dependencies: ["PhotoDevelopment", "PhotoPipeline", "ImageCodecs", "CGLib"],
            swiftSettings: house),

        example("race-to-finish", ["Operations"]),
        example("photo-list", ["Operations", "Transfers", "ImageCodecs", "Pixels"]),
        example("coming-from-foundation", ["Operations"]),
        // The same sources, without the engine.
        example("foundation-alone", [], defines: [.define("FOUNDATION_ALONE")]),

        // The tutorial: what its chapters share, and the chapters.
        .target(
            name: "ListParts", dependencies: ["Operations", "Pixels"], path: "Examples/list-parts",
            swiftSettings: house),
        chapter("list-1-blocking", ["Pixels"]),
        chapter("list-2-background", ["Pixels"]),
        chapter("list-3-dependencies", ["Pixels"]),
        chapter("list-4-states"),
        chapter("list-5-cancelling", ["Pixels"]),
        chapter("list-6-suspending"),
        chapter("list-7-asynchronous"),
        chapter("list-8-failures", ["OperationsTesting"]),
        chapter("list-9-testing", ["OperationsTesting"]),
        chapter("list-10-trace"),

        // Tests mirror the sources.
        .target(
            name: "TestServers", dependencies: ["CZLib", "CZstd"], path: "Tests/TestServers", swiftSettings: house),
        tests("OperationsTests", ["Operations", "OperationsCore", "OperationsTesting"]),
        tests("PixelsTests", ["Pixels", "OperationsTesting"], resources: [.copy("Resources")]),
        .executableTarget(name: "decode-attacker", dependencies: ["CDecodeHelper"], path: "Tests/DecodeAttacker"),
        // Decodes headers that lie, so that its memory can be measured.
        .executableTarget(
            name: "header-decoder", dependencies: ["ImageCodecs", "Pixels", "OperationsTesting"],
            path: "Tests/HeaderDecoder", swiftSettings: house),
        tests("ImageCodecsTests", ["ImageCodecs", "OperationsTesting", "decode-attacker", "header-decoder"]),
        .executableTarget(
            name: "cache-child", dependencies: ["PhotoPipeline", "Transfers", "Operations"], path: "Tests/CacheChild",
            swiftSettings: house),
        // Transfers in a process that lacks what the tests' own has.
        .executableTarget(
            name: "transfer-child", dependencies: ["Transfers", "Operations"], path: "Tests/TransferChild",
            swiftSettings: house),
        // A disk for SQLite that fails on request.
        .target(name: "FailingDisk", dependencies: ["CSQLite"], path: "Tests/FailingDisk", swiftSettings: house),
        tests(
            "TransfersTests",
            [
                "Transfers", "Operations", "OperationsTesting", "TestServers", "cache-child", "transfer-child",
                "FailingDisk", "CSQLite",
            ]),
        tests("CatalogsTests", ["Catalogs", "Transfers", "OperationsTesting", "TestServers"]),
        tests(
            "PhotoPipelineTests",
            [
                "PhotoPipeline", "Pixels", "ImageCodecs", "Transfers", "Operations", "OperationsTesting", "TestServers",
                "cache-child", "FailingDisk",
            ]),
        tests(
            "PhotoBrowserTests",
            [
                "PhotoBrowser", "PhotoPipeline", "ImageCodecs", "Transfers", "Operations", "OperationsTesting",
                "TestServers",
            ]),
        tests(
            "PhotoDevelopmentTests",
            [
                "PhotoDevelopment", "PhotoPipeline", "Catalogs", "ImageCodecs", "Operations", "TestServers",
                "FailingDisk",
            ]),
        tests(
            "CommandLineTests",
            [
                "classicphotos", "ImageCodecs", "Pixels", "PhotoDevelopment", "PhotoPipeline", "TestServers", "Wording",
            ]),
    ]
)

if withGtk {
    package.products.append(.executable(name: "classicphotos-app", targets: ["classicphotos-app"]))
    package.targets += [
        // Floor 0
        .systemLibrary(
            name: "CGtk", pkgConfig: "libadwaita-1", providers: [.apt(["libgtk-4-dev", "libadwaita-1-dev"])]),

        // What screen readers see, for the tests.
        .systemLibrary(name: "CAtspi", pkgConfig: "atspi-2", providers: [.apt(["libatspi2.0-dev"])]),

        // The server of the sample.
        .systemLibrary(name: "CSoup", pkgConfig: "libsoup-3.0", providers: [.apt(["libsoup-3.0-dev"])]),

        // Floor 2
        room("SampleServer", ["CSoup", "OperationsCore"]),

        // Floor 6
        gtkRoom("GtkSupport", ["CGtk", "Pixels"]),

        // Floor 7
        gtkRoom(
            "PhotoApp",
            [
                "CGLib", "CGtk", "GtkSupport", "ImageCodecs", "Operations", "OperationsCore", "PhotoBrowser",
                "PhotoDevelopment", "PhotoPipeline", "SampleServer",
                "Transfers", "Wording",
            ]),

        // Floor 8
        .executableTarget(
            name: "classicphotos-app", dependencies: ["CGtk", "PhotoApp", "PhotoBrowser", "PhotoPipeline"],
            swiftSettings: house + [.defaultIsolation(MainActor.self)]),
        // What uses the app at random, and measures it; not installed.
        .executableTarget(
            name: "app-drivers",
            dependencies: [
                "CGtk", "GtkSupport", "ImageCodecs", "OperationsCore", "OperationsTesting", "PhotoApp", "PhotoBrowser",
                "PhotoPipeline",
            ],
            swiftSettings: house + [.defaultIsolation(MainActor.self)]),

        tests("SampleServerTests", ["SampleServer", "Operations", "Transfers"]),
        tests(
            "GtkSupportTests",
            [
                "PhotoApp", "classicphotos-app", "app-drivers", "CAtspi", "CGtk", "GtkSupport", "ImageCodecs",
                "Operations", "OperationsTesting",
                "PhotoBrowser", "PhotoPipeline", "Pixels", "TestServers", "Transfers",
            ]),
    ]
}

// Of the tests, only those of what threads share, and what they use: two thirds of a build under Thread Sanitizer.
if Context.environment["CLASSICPHOTOS_TESTS"] == "shared-state" {
    let tested = [
        "OperationsTests", "TransfersTests", "CatalogsTests", "PhotoPipelineTests", "PhotoBrowserTests",
        "PhotoDevelopmentTests",
    ]
    package.products.removeAll { $0.name == "classicphotos" }
    package.targets.removeAll { target in
        switch target.type {
        case .test: !tested.contains(target.name)
        case .executable: !["cache-child", "transfer-child"].contains(target.name)
        default: target.name == "ListParts"
        }
    }
}
