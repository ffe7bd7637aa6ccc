// swift-tools-version: 6.2
import PackageDescription

// A package of its own, as a client of ClassicPhotos writes it; one that lives elsewhere names its address and a branch:
//     .package(url: "…", branch: "main")
let package = Package(
    name: "fetch-picture",
    dependencies: [.package(name: "ClassicPhotos", path: "../..")],
    targets: [
        .executableTarget(
            name: "fetch-picture",
            dependencies: [.product(name: "PhotoPipeline", package: "ClassicPhotos")],
            path: "Sources")
    ]
)
