package import TenureContent
package import TenureCore
import TenureServerKit
package import TenureStore

/// A row for each tenant that offers content, with whether its items need an enrolment.
package struct ContentOfferRow: Sendable, Hashable {
    package let tenant: TenantID
    /// Whether an item needs an enrolment or is available to every holder.
    package var access: ContentCatalog.Access

    package init(tenant: TenantID, access: ContentCatalog.Access) {
        self.tenant = tenant
        self.access = access
    }
}

extension ContentOfferRow: Stored {
    /// The tenants that offer content, with one row each.
    package static let table = Table<ContentOfferRow>(
        "content_offers", key: ["tenant"], [Field("tenant") { $0.tenant }, Field("access") { $0.access }],
        foreignKeys: [ForeignKey(to: TenantRow.self)], changesAlone: true, part: "catalog"
    ) { row in
        ContentOfferRow(tenant: try row.next(), access: try row.next())
    }
}

/// A content item, with the tenant that offers it.
package struct ContentItemRow: Sendable, Hashable {
    package let tenant: TenantID
    package let item: ContentCatalog.Item

    package init(tenant: TenantID, item: ContentCatalog.Item) {
        self.tenant = tenant
        self.item = item
    }
}

extension ContentItemRow: Stored {
    package static let table = Table<ContentItemRow>(
        "contents", key: ["tenant", "content"],
        [
            Field("tenant") { $0.tenant }, Field("content") { $0.item.id }, Field("title") { $0.item.title },
            Field("policy") { $0.item.policy }, Field("kollus_key") { $0.item.kollusKey },
        ],
        foreignKeys: [ForeignKey(to: TenantRow.self)], changesAlone: true, part: "catalog"
    ) { row in
        ContentItemRow(
            tenant: try row.next(),
            item: ContentCatalog.Item(
                id: try row.next(), title: try row.next(), policy: try row.next(), kollusKey: try row.next()))
    }

    package static let ofTenant = table.set("of_tenant", "tenant")
}

/// A course of a tenant, without its items.
package struct CourseRow: Sendable, Hashable {
    package let tenant: TenantID
    package let id: CourseID
    /// The display title, for people only.
    package let title: String
    /// The policy for the course's items; `nil` to use each item's own.
    package let policy: ContentPolicyID?

    package init(tenant: TenantID, course: ContentCatalog.Course) {
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
    package static let table = Table<CourseRow>(
        "courses", key: ["tenant", "course"],
        [
            Field("tenant") { $0.tenant }, Field("course") { $0.id }, Field("title") { $0.title },
            Field("policy") { $0.policy },
        ],
        foreignKeys: [ForeignKey(to: TenantRow.self)], changesAlone: true, part: "catalog"
    ) { row in
        CourseRow(tenant: try row.next(), id: try row.next(), title: try row.next(), policy: try row.next())
    }

    package static let ofTenant = table.set("of_tenant", "tenant")
}

/// A row that assigns a content item to a course.
package struct CourseItemRow: Sendable, Hashable {
    package let tenant: TenantID
    package let course: CourseID
    package let content: ContentID

    package init(tenant: TenantID, course: CourseID, content: ContentID) {
        self.tenant = tenant
        self.course = course
        self.content = content
    }
}

extension CourseItemRow: Stored {
    package static let table = Table<CourseItemRow>(
        "course_items", key: ["tenant", "course", "content"],
        [Field("tenant") { $0.tenant }, Field("course") { $0.course }, Field("content") { $0.content }],
        foreignKeys: [ForeignKey(to: CourseRow.self), ForeignKey(to: ContentItemRow.self)],
        indexes: [TableIndex("by_content", "tenant", "content")], changesAlone: true, part: "catalog"
    ) { row in
        CourseItemRow(tenant: try row.next(), course: try row.next(), content: try row.next())
    }

    package static let ofTenant = table.set("of_tenant", "tenant")
}
