package import TenureCore

/// What a license in a list of the operator API is for.
///
/// Ids of both kinds come from one space, so a path names a license without its kind.
package enum LicenseKind: String, CaseIterable, Sendable {
    /// A product, with a key.
    case product
    /// An app on a device, from a marketplace.
    case app
}

extension FieldReader {
    /// Which licenses a list is of; nil where the request does not say, as those of earlier versions do. Then it is of
    /// products.
    package mutating func licenseKind() throws(Failure) -> LicenseKind? {
        try optional(
            "kind", .choice, in: .query, "`product`, the default, or `app`: licenses of apps on devices.")
    }

    /// The license that the path names.
    package mutating func licenseInPath() throws(Failure) -> LicenseID {
        try required("license", .licenseID, in: .path, "The license's id.")
    }
}
