public import TenureContent
import TenureCore
import TenureServerKit
public import TenureStore

extension Enrolment: Stored {
    /// The enrolments of holders in courses and content items, including ended ones.
    public static let table = Table<Enrolment>(
        "enrolments", key: ["id"],
        [
            Field("id") { $0.id }, Field("tenant") { $0.tenant }, Field("holder", namesPerson: true) { $0.holder },
            Field("scope") { $0.scope }, Field("policy") { $0.terms.policy },
            Field("starts_at") { $0.terms.startsAt }, Field("ends_at") { $0.terms.endsAt },
            Field("reference") { $0.reference },
            Field("made_at") { $0.madeAt }, Field("state") { $0.state }, Field("ended_at") { $0.endedAt },
            Field.fold("holder_folded", namesPerson: true) { $0.holder },
        ],
        foreignKeys: [ForeignKey(to: TenantRow.self)],
        uniques: [Unique("by_reference", "tenant", "reference", meaning: "reference_taken")],
        indexes: [
            TableIndex("by_holder", "tenant", "holder", "id"), TableIndex("by_scope", "tenant", "scope", "id"),
            TableIndex("by_tenant", "tenant", "id"),
            TableIndex("by_folded_holder", "tenant", "holder_folded", "id", where: .isNotNull("holder_folded")),
        ]
    ) { row in
        Enrolment(
            id: try row.next(), tenant: try row.next(), holder: try row.next(), scope: try row.next(),
            terms: try Terms(&row),
            reference: try row.next(),
            madeAt: try row.next(), state: try row.next(), endedAt: try row.next())
    }

    /// Finds an enrolment by the vendor's reference.
    public static let byReference = table.unique("by_reference")
    /// The enrolments of a tenant, by id.
    public static let ofTenant = table.set("of_tenant", "tenant")
    /// The enrolments in a course or content item, by id.
    public static let toScope = table.set("to_scope", "tenant", "scope")
    /// The enrolments of a holder, by id.
    public static let ofHolder = table.set("of_holder", "tenant", "holder")
    /// The enrolments of all holders with the same fold, by id.
    public static let ofFoldedHolder = table.set(
        "of_folded_holder", "tenant", "holder_folded", where: .isNotNull("holder_folded"))
}

extension Enrolment.Terms {
    fileprivate init(_ row: inout RowCursor) throws {
        self.init(policy: try row.next(), startsAt: try row.next(), endsAt: try row.next())
    }
}

extension Enrolment.Scope: StorableAs {
    /// The scope's description: `course:ID` or `content:ID`.
    public var simple: String { description }

    /// Parses the text of a scope; `nil` if it is invalid.
    public init?(simple: String) {
        if simple.hasPrefix("course:") {
            guard let course = CourseID(String(simple.dropFirst("course:".count))) else { return nil }
            self = .course(course)
        } else {
            guard simple.hasPrefix("content:"), let content = ContentID(String(simple.dropFirst("content:".count)))
            else {
                return nil
            }
            self = .content(content)
        }
    }

    /// The course; `nil` if the scope is a single content item.
    package var course: CourseID? { if case .course(let course) = self { course } else { nil } }
    /// The content item; `nil` if the scope is a course.
    package var content: ContentID? { if case .content(let content) = self { content } else { nil } }
}

/// Locks that serialize changes to one holder's data across servers.
///
/// The device of a new license, or an enrolment created at first use, has no row yet that could be locked. All locks
/// below compute the same number for a holder.
extension QueryLock {
    /// The lock for a tenant and a holder's name.
    static let holder = QueryLock(
        [.text, .text],
        postgres: """
            SELECT hashtextextended(tenant || '/holder/' || holder, 0)
            FROM unnest($1::text[], $2::text[]) AS w (tenant, holder)
            """)

    /// The lock by enrolment number; an enrolment's holder never changes.
    static let holderOfEnrolment = QueryLock(
        [.integer],
        postgres: """
            SELECT hashtextextended(e.tenant || '/holder/' || e.holder, 0)
            FROM unnest($1::bigint[]) AS w (id) JOIN enrolments e ON e.id = w.id
            """)

    /// The lock by content license number; a license's holder never changes.
    static let holderOfLicense = QueryLock(
        [.integer],
        postgres: """
            SELECT hashtextextended(l.tenant || '/holder/' || l.holder, 0)
            FROM unnest($1::bigint[]) AS w (id) JOIN content_licenses l ON l.id = w.id
            """)

    /// The lock by the hash of a credential; a credential's holder never changes.
    static let holderOfCredential = QueryLock(
        [.blob],
        postgres: """
            SELECT hashtextextended(c.tenant || '/holder/' || c.holder, 0)
            FROM unnest($1::bytea[]) AS w (hash) JOIN holder_credentials c ON c.hash = w.hash
            """)
}
