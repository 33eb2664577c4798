import TenureCommandLine
import TenureContent
import TenureCore
import TenureServerKit

/// The arguments that name a tenant that offers content, an enrolment or a content license.
enum ContentReference {
    static let tenant: Argument<TenantID?> = .optional(
        "tenant", "TENANT", "The tenant of the contents; needed only if several offer any.", as: .slug())
    static let enrolment = Argument.positional(
        "ENROLMENT", "The enrolment's id.",
        as: .numbered("an enrolment's id such as enr_0000000000001") as ArgumentReading<EnrolmentID>)
    static let license = Argument.positional(
        "LICENSE", "The id of the license.",
        as: .numbered("the id of a content license, such as clc_0000000000001")
            as ArgumentReading<ContentLicenseID>)
    static let holder: Argument<String?> = .optional("holder", "TEXT", "List only this holder's.", as: .text)
    static let limit = Argument.option(
        "limit", "N", "The maximum number of entries.", as: .int(in: 1...1000), default: 100)

    /// Returns the named tenant or, if none is named, the only one that offers content.
    static func tenant(_ arguments: Parsed, in catalog: CatalogCache) throws(CommandError) -> TenantID {
        let tenants = catalog.current.catalog.tenants
        let offering = tenants.values.filter { $0.contents != nil }.map(\.id).sorted()
        if let named = arguments[tenant] {
            guard offering.contains(named) else {
                _ = try catalog.current.catalog.named(named)
                throw CommandError(
                    "The tenant \(named) offers no contents. Add some to the catalog file and run `tenure apply FILE`.")
            }
            return named
        }
        guard let only = offering.first, offering.count == 1 else {
            throw CommandError(
                offering.isEmpty
                    ? "No tenant offers contents. Add some to the catalog file and run `tenure apply FILE`."
                    : "Several tenants offer contents; choose one with --tenant: "
                        + offering.map(\.text).joined(separator: ", "))
        }
        return only
    }

    /// The error for an enrolment that doesn't exist.
    static func unknown(_ enrolment: EnrolmentID, of tenant: TenantID) -> CommandError {
        CommandError("\(tenant) has no enrolment \(enrolment). Run `tenure enrolment list` to see them.")
    }

    /// The error for a license that doesn't exist.
    static func unknown(_ license: ContentLicenseID, of tenant: TenantID) -> CommandError {
        CommandError("\(tenant) has no content license \(license). Run `tenure content list` to see them.")
    }
}

extension ArgumentReading where Value == ContentID {
    /// Reads the id of a content item.
    static var content: ArgumentReading {
        ArgumentReading { text in
            guard let content = ContentID(text) else {
                throw UsageError("enter 1 to 128 of A-Z, a-z, 0-9, ., _, ~, : and -")
            }
            return content
        }
    }
}
