import TenureContent
import TenureCore
import TenureServerKit
import TenureStore

extension RestoreAddition {
    /// The content rows that a restore of an older backup would lose.
    ///
    /// Content licenses aren't among them, because devices request them again.
    static let content = [RestoreAddition(enrolments), RestoreAddition(links)]

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
        rows.orphan = { "there is no tenant \($0.tenant)" }
        rows.changes = { copied, later, _ in copied.giving(later) }
        rows.changeEvents = [.enrolmentResumed, .enrolmentExtended, .enrolmentChanged]
        rows.unrelatedEvents = [.deviceReplacedEarly]
        return rows
    }()

    private static let links: AddedRows<HolderCredential, TenantRow> = {
        var rows = AddedRows<HolderCredential, TenantRow>(
            "link", under: TenantRow.table.key, parent: { [.of($0.tenant)] }
        ) { .init("to the content page of \($0.tenant)", givenAt: $0.createdAt, holder: $0.holder) }
        rows.added = "created"
        rows.isGiven = { $0.kind == .link && $0.works(at: $1) }
        rows.loss = "links are lost; create another one"
        return rows
    }()
}
