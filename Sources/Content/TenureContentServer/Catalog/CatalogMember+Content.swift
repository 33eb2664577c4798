import TenureContent
import TenureCore
import TenureServerKit
import TenureStore

extension CatalogMember {
    /// The part of the catalog that reads and writes each tenant's content items, courses and policies.
    static var contents: CatalogMember {
        CatalogMember(open: ContentSecrets.open, kept: ContentSecrets.kept) { ask, tenants in
            let (all, ofTenant) = (Int.everything, QuerySource<Void>.column("tenant", of: tenants))
            let offers = ask.each(ContentOfferRow.table.key, ofTenant)
            let policies = ask.each(ContentPolicyRow.ofTenant, upTo: all, ofTenant)
            let items = ask.each(ContentItemRow.ofTenant, upTo: all, ofTenant)
            let courses = ask.each(CourseRow.ofTenant, upTo: all, ofTenant)
            let parts = ask.each(CourseItemRow.ofTenant, upTo: all, ofTenant)
            return { seen, catalog in
                for row in seen[offers] { catalog.tenants[row.tenant]?.contents = ContentCatalog(access: row.access) }
                for row in seen[policies] {
                    catalog.tenants[row.tenant]?.contents?.policies[row.policy.id] = row.policy
                }
                for row in seen[items] { catalog.tenants[row.tenant]?.contents?.items[row.item.id] = row.item }
                for row in seen[courses] {
                    catalog.tenants[row.tenant]?.contents?.courses[row.id] = ContentCatalog.Course(
                        id: row.id, title: row.title, policy: row.policy)
                }
                for row in seen[parts] {
                    catalog.tenants[row.tenant]?.contents?.courses[row.course]?.items.insert(row.content)
                }
            }
        }
    }
}
