extension PhotoPipeline {
    /// The version of the package, as [semantic versioning](https://semver.org) writes it.
    ///
    /// Until a version is released, this is the next one with `-dev` behind it. Both programs show it for `--version`.
    public static let version = "0.2.0-dev"
}
