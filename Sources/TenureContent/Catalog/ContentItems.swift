package import TenureCore
import TenureServerKit
package import TenureStore

/// That a tenant offers contents, and to whom.
package struct ContentOfferRow: Sendable, Hashable {
    /// Whose.
    package let tenant: TenantID
    /// To whom.
    package var access: ContentCatalog.Access

    /// Pairs the two.
    package init(tenant: TenantID, access: ContentCatalog.Access) {
        self.tenant = tenant
        self.access = access
    }
}

extension ContentOfferRow: Stored {
    /// Tenants that offer contents.
    package static let table = Table<ContentOfferRow>(
        "content_offers", key: ["tenant"], [Field("tenant") { $0.tenant }, Field("access") { $0.access }],
        parents: [TenantRow.table.shape], changesAlone: true, part: "catalog"
    ) { row throws(StoreError) in
        ContentOfferRow(tenant: try row.next(), access: try row.next())
    }
}

/// A content that a tenant offers.
package struct ContentItemRow: Sendable, Hashable {
    /// Whose.
    package let tenant: TenantID
    /// The content.
    package let item: ContentItem

    /// Pairs the two.
    package init(tenant: TenantID, item: ContentItem) {
        self.tenant = tenant
        self.item = item
    }
}

extension ContentItemRow: Stored {
    /// Contents.
    package static let table = Table<ContentItemRow>(
        "contents", key: ["tenant", "content"],
        [
            Field("tenant") { $0.tenant }, Field("content") { $0.item.id }, Field("title") { $0.item.title },
            Field("policy") { $0.item.policy }, Field("kollus_key") { $0.item.kollusKey },
        ],
        parents: [TenantRow.table.shape], changesAlone: true, part: "catalog"
    ) { row throws(StoreError) in
        ContentItemRow(
            tenant: try row.next(),
            item: ContentItem(
                id: try row.next(), title: try row.next(), policy: try row.next(), kollusKey: try row.next()))
    }

    /// A tenant's.
    package static let ofTenant = table.set("of_tenant", "tenant")
}

/// A course that a tenant offers, its items aside.
package struct CourseRow: Sendable, Hashable {
    /// Whose.
    package let tenant: TenantID
    /// Its name.
    package let id: CourseID
    /// Its name for people.
    package let title: String
    /// The policy of its contents; nil for each content's own.
    package let policy: ContentPolicyID?

    /// Takes what a course says of itself.
    package init(tenant: TenantID, course: Course) {
        self.init(tenant: tenant, id: course.id, title: course.title, policy: course.policy)
    }

    fileprivate init(tenant: TenantID, id: CourseID, title: String, policy: ContentPolicyID?) {
        self.tenant = tenant
        self.id = id
        self.title = title
        self.policy = policy
    }
}

extension CourseRow: Stored {
    /// Courses.
    package static let table = Table<CourseRow>(
        "courses", key: ["tenant", "course"],
        [
            Field("tenant") { $0.tenant }, Field("course") { $0.id }, Field("title") { $0.title },
            Field("policy") { $0.policy },
        ],
        parents: [TenantRow.table.shape], changesAlone: true, part: "catalog"
    ) { row throws(StoreError) in
        CourseRow(tenant: try row.next(), id: try row.next(), title: try row.next(), policy: try row.next())
    }

    /// A tenant's.
    package static let ofTenant = table.set("of_tenant", "tenant")
}

/// That a course has a content.
package struct CourseItemRow: Sendable, Hashable {
    /// Whose.
    package let tenant: TenantID
    /// Which course.
    package let course: CourseID
    /// Which content.
    package let content: ContentID

    /// Puts it together.
    package init(tenant: TenantID, course: CourseID, content: ContentID) {
        self.tenant = tenant
        self.course = course
        self.content = content
    }
}

extension CourseItemRow: Stored {
    /// What courses have.
    package static let table = Table<CourseItemRow>(
        "course_items", key: ["tenant", "course", "content"],
        [Field("tenant") { $0.tenant }, Field("course") { $0.course }, Field("content") { $0.content }],
        parents: [CourseRow.table.shape, ContentItemRow.table.shape], changesAlone: true, part: "catalog"
    ) { row throws(StoreError) in
        CourseItemRow(tenant: try row.next(), course: try row.next(), content: try row.next())
    }

    /// A tenant's.
    package static let ofTenant = table.set("of_tenant", "tenant")
}
