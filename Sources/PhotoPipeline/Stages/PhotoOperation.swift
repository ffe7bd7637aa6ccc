import Operations
package import Transfers

/// An operation of a stage, for whoever draws operations and wants to know which photo one works for.
///
/// Its name says that to people only: many photos may have one name.
package protocol PhotoOperation: AnyObject {
    /// The address of the photo, and of all that share the operation; nil where it works for none in particular.
    var photoAddress: ResourceAddress? { get }
}

extension CachedDownloadOperation: PhotoOperation {
    package var photoAddress: ResourceAddress? { request.address }
}
