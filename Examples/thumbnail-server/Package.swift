// swift-tools-version: 6.2
import PackageDescription

// A package of its own, as a client of ClassicPhotos writes it; one that lives elsewhere names its address and a branch:
//     .package(url: "…", branch: "main")
let package = Package(
    name: "thumbnail-server",
    dependencies: [.package(name: "ClassicPhotos", path: "../..")],
    targets: [
        .systemLibrary(name: "CMicroHTTPD", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
        .executableTarget(
            name: "thumbnail-server",
            dependencies: [
                "CMicroHTTPD",
                .product(name: "PhotoPipeline", package: "ClassicPhotos"),
                .product(name: "Pixels", package: "ClassicPhotos"),
                .product(name: "ImageCodecs", package: "ClassicPhotos"),
                .product(name: "Transfers", package: "ClassicPhotos"),
            ]),
    ]
)
