import TenureContent
import TenureCore
import TenureServerKit
import TenureStore

extension RecordKind {
    /// Enrolments, as records by which events can be filtered.
    static let enrolments = RecordKind(
        field: "enrolment", name: "enrolment", column: "enrolment_id", table: Enrolment.table.shape,
        number: { $0.enrolment?.number }, named: { $0.enrolment?.description }
    ) { filter, tenant, store in
        guard let enrolment = filter.enrolment else { return false }
        return try await store.has(enrolment, in: Enrolment.table, of: tenant)
    }

    /// Content licenses, as records by which events can be filtered.
    static let contentLicenses = RecordKind(
        field: "contentLicense", name: "content license", column: "content_license_id",
        table: ContentLicense.table.shape, number: { $0.contentLicense?.number },
        named: { $0.contentLicense?.description }
    ) { filter, tenant, store in
        guard let license = filter.contentLicense else { return false }
        return try await store.has(license, in: ContentLicense.table, of: tenant)
    }
}
