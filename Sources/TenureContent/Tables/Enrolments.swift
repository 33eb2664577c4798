public import TenureCore
import TenureServerKit
public import TenureStore

extension Enrolment: Stored {
    /// Rights of holders to courses and contents, ended ones too.
    public static let table = Table<Enrolment>(
        "enrolments", key: ["id"],
        [
            Field("id") { $0.id }, Field("tenant") { $0.tenant }, Field("holder") { $0.holder },
            Field("scope") { $0.scope }, Field("policy") { $0.policy },
            Field("starts_at") { $0.startsAt }, Field("ends_at") { $0.endsAt }, Field("reference") { $0.reference },
            Field("made_at") { $0.madeAt }, Field("state") { $0.state }, Field("ended_at") { $0.endedAt },
        ],
        parents: [TenantRow.table.shape],
        uniques: [Unique("by_reference", "tenant", "reference", meaning: "reference_taken")]
    ) { row throws(StoreError) in
        Enrolment(
            id: try row.next(), tenant: try row.next(), holder: try row.next(), scope: try row.next(),
            policy: try row.next(), startsAt: try row.next(), endsAt: try row.next(), reference: try row.next(),
            madeAt: try row.next(), state: try row.next(), endedAt: try row.next())
    }

    /// Finds the one that the vendor calls so.
    public static let byReference = table.unique("by_reference")
    /// A tenant's, in the order of their names.
    public static let ofTenant = table.set("of_tenant", "tenant")
    /// Those to a course, or to one content, in the order of their names.
    public static let toScope = table.set("to_scope", "tenant", "scope")
    /// A holder's, in the order of their names.
    public static let ofHolder = table.set("of_holder", "tenant", "holder")
}

extension Enrolment.Scope: StorableAs {
    /// Its description: `course:ID` or `content:ID`.
    public var simple: String { description }

    /// Refuses what describes nothing.
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

    /// The course; nil when it is one content.
    package var course: CourseID? { if case .course(let course) = self { course } else { nil } }
    /// The content; nil when it is a course.
    package var content: ContentID? { if case .content(let content) = self { content } else { nil } }
}

/// Changes about what a holder has go one after the other, on whichever server: a place that nobody has yet is no row to
/// lock, nor is an enrolment that is made at first use. All of these give one number for a holder.
extension Guard {
    /// By tenant and holder.
    static let holder = Guard(
        [.text, .text],
        postgres: """
            SELECT hashtextextended(tenant || '/holder/' || holder, 0)
            FROM unnest($1::text[], $2::text[]) AS w (tenant, holder)
            """)

    /// By an enrolment's number; whose it is never changes.
    static let holderOfEnrolment = Guard(
        [.integer],
        postgres: """
            SELECT hashtextextended(e.tenant || '/holder/' || e.holder, 0)
            FROM unnest($1::bigint[]) AS w (id) JOIN enrolments e ON e.id = w.id
            """)

    /// By a content license's number; whose it is never changes.
    static let holderOfLicense = Guard(
        [.integer],
        postgres: """
            SELECT hashtextextended(l.tenant || '/holder/' || l.holder, 0)
            FROM unnest($1::bigint[]) AS w (id) JOIN content_licenses l ON l.id = w.id
            """)
}
