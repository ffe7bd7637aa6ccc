extension Catalog {
    /// Where the rows of a catalog are while it is in use.
    public enum RowStorage: Sendable, Hashable {
        /// In memory: about 24 bytes a row beside the text itself.
        case memory
        /// In a file without a name in the folder `TMPDIR`, or `/var/tmp`, as far as a list, a table or JSON Lines is longer than about
        /// 4 MB. Such a catalog may have any length, and takes some tens of megabytes of memory. The file is
        /// compressed: it is smaller than the catalog, and somewhat larger than a list of very short lines. Whole entries of a table
        /// (``CatalogKeys/keepsEntries``) are there with the names of all columns. The file is gone when the catalog is let go or the
        /// process ends. Where it cannot be made or the disk is full, a catalog that can be read again is in memory after all. Other
        /// formats are in memory.
        case temporaryFile
    }
}
