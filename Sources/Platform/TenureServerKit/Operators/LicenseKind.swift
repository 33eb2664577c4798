package import TenureCore

/// The kind of a license in the operator API.
///
/// Ids are unique across all kinds of licenses, so a path needs only the id.
package enum LicenseKind: String, CaseIterable, Sendable {
    /// A license of a product, with a key.
    case product
    /// A license of an app on a device, from a marketplace.
    case app
}

extension FieldReader {
    /// Reads the kind of licenses to list; `nil` if the parameter is missing, which means licenses of products.
    package mutating func licenseKind() throws(Failure) -> LicenseKind? {
        try optional(
            "kind", .choice, in: .query, "`product` (the default), or `app` for licenses of apps on devices.")
    }

    package mutating func licenseInPath() throws(Failure) -> LicenseID {
        try required("license", .licenseID, in: .path, "The id of the license.")
    }
}
