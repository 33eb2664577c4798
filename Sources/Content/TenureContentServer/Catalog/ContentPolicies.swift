package import TenureContent
package import TenureCore
import TenureServerKit
package import TenureStore

/// A content policy, with the tenant that defines it.
package struct ContentPolicyRow: Sendable, Hashable {
    package let tenant: TenantID
    package let policy: ContentPolicy

    package init(tenant: TenantID, policy: ContentPolicy) {
        self.tenant = tenant
        self.policy = policy
    }
}

extension ContentPolicyRow: Stored {
    package static let table = Table<ContentPolicyRow>(
        "content_policies", key: ["tenant", "policy"],
        [Field("tenant") { $0.tenant }, Field("policy") { $0.policy.id }] + ContentPolicyField.all.flatMap(\.columns),
        foreignKeys: [ForeignKey(to: TenantRow.self)], changesAlone: true, part: "catalog"
    ) { row in
        let tenant: TenantID = try row.next()
        var policy = ContentPolicy(id: try row.next())
        for field in ContentPolicyField.all { try field.read(&policy, &row) }
        return ContentPolicyRow(tenant: tenant, policy: policy)
    }

    package static let ofTenant = table.set("of_tenant", "tenant")
}
