import TenureCommandLine
import TenureCore
import TenureLicensing
import TenureServerKit

/// A license in a list, with the grace period that its policy gives it.
struct ListedLicense: Sendable {
    let license: AsOf<License>
    /// The end of the grace period that is running; `nil` if none is.
    let graceEndsAt: Timestamp?

    /// Looks up the policy in the catalog; without the policy, there's no grace period.
    init(_ license: License, in catalog: Catalog, at now: Timestamp) {
        self.license = AsOf(license, at: now)
        let policy = catalog.tenants[license.product.tenant]?.products[license.product.product]?.policies[
            license.policy]
        graceEndsAt = policy.flatMap { license.graceEnd(under: $0, at: now) }
    }

    static let document = Document<ListedLicense>(
        "ListedLicense",
        License.document.members { $0.license } + [
            .momentOrNull(
                "graceEndsAt",
                "Until when the license still works although its term has ended; null unless a grace period is running."
            ) { $0.graceEndsAt }
        ])

    /// The columns of a list on the command line; a license in its grace period is shown as such.
    static let columns: [LabeledText<ListedLicense>] = License.columns.map { column in
        guard column.label == "state" else { return LabeledText(column.label) { column.text($0.license) } }
        return .state("state") { $0.graceEndsAt == nil ? column.text($0.license) : "grace" }
    }
}
