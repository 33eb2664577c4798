import TenureContent
import TenureCore
import TenureServerKit
import TenureStore

extension RestoreAddition {
    /// What a restore of an older backup loses of content.
    ///
    /// Content licenses aren't among it: devices request them again.
    static let content = [RestoreAddition(enrolments)]

    private static let enrolments: AddedRows<Enrolment, TenantRow> = {
        var rows = AddedRows<Enrolment, TenantRow>(
            "enrolment", under: TenantRow.table.key, parent: { [.of($0.tenant)] }, unique: Enrolment.byReference,
            uniqueValues: { enrolment in enrolment.reference.map { [.of(enrolment.tenant), .of($0)] } }
        ) { enrolment in
            .init(
                enrolment.id.description, .enrolment(enrolment.id), givenAt: enrolment.madeAt,
                holder: enrolment.holder, order: enrolment.reference)
        }
        rows.added = "added"
        rows.orphan = { "the copy has no tenant \($0.tenant)" }
        rows.changes = { copied, later in copied.giving(later) }
        rows.changeEvents = [.enrolmentResumed, .enrolmentExtended, .enrolmentChanged]
        return rows
    }()
}
