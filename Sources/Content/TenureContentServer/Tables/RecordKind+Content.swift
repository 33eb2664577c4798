import TenureCommandLine
import TenureContent
import TenureCore
import TenureServerKit
import TenureStore

extension RecordKind {
    /// Enrolments, as records by which events can be filtered.
    static let enrolments = RecordKind(
        field: "enrolment", name: "enrolment", column: "enrolment_id", table: Enrolment.table.shape,
        number: { $0.enrolment?.number }, named: { $0.enrolment?.description }
    ) { filter, tenant, store throws(ServerError) in
        guard let enrolment = filter.enrolment else { return false }
        return try await store.has(enrolment, in: Enrolment.table, of: tenant)
    }

    /// Content licenses, as records by which events can be filtered.
    static let contentLicenses = RecordKind(
        field: "contentLicense", name: "content license", column: "content_license_id",
        table: ContentLicense.table.shape, number: { $0.contentLicense?.number },
        named: { $0.contentLicense?.description }
    ) { filter, tenant, store throws(ServerError) in
        guard let license = filter.contentLicense else { return false }
        return try await store.has(license, in: ContentLicense.table, of: tenant)
    }

    /// Holders, by whom events can be filtered although they have no records of their own.
    static let holders = RecordKind(
        field: "holder", name: "holder", column: "holder_ref", table: nil, number: { _ in nil }, named: { _ in nil },
        option: .holder
    ) { _, _, _ in true }
}

extension EventOption {
    /// `--holder`, for the events of a holder's content page.
    fileprivate static let holder: EventOption = {
        let argument: Argument<String?> = .optional(
            "holder", "HOLDER", "Only events of this holder's content page.", as: .text)
        return EventOption(argument) { filter, arguments, catalog, _ in
            filter.holderRef = try arguments[argument].map { try catalog.secrets.holderRef($0, of: filter.tenant) }
            return true
        }
    }()
}
