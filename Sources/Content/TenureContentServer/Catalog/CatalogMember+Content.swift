import TenureContent
import TenureCore
import TenureServerKit
import TenureStore

extension CatalogMember {
    /// The part of the catalog that reads and writes each tenant's content items, courses and policies.
    static var contents: CatalogMember {
        CatalogMember(open: ContentSecrets.open, stored: ContentSecrets.storedShare) { query, tenants in
            let (all, ofTenant) = (Int.everything, QuerySource<Void>.column("tenant", of: tenants))
            let offers = query.each(ContentOfferRow.table.key, ofTenant)
            let policies = query.each(ContentPolicyRow.ofTenant, upTo: all, ofTenant)
            let items = query.each(ContentItemRow.ofTenant, upTo: all, ofTenant)
            let courses = query.each(CourseRow.ofTenant, upTo: all, ofTenant)
            let parts = query.each(CourseItemRow.ofTenant, upTo: all, ofTenant)
            return { results, catalog in
                for row in results[offers] {
                    catalog.tenants[row.tenant]?.contents = ContentCatalog(access: row.access)
                }
                for row in results[policies] {
                    catalog.tenants[row.tenant]?.contents?.policies[row.policy.id] = row.policy
                }
                for row in results[items] { catalog.tenants[row.tenant]?.contents?.items[row.item.id] = row.item }
                for row in results[courses] {
                    catalog.tenants[row.tenant]?.contents?.courses[row.id] = ContentCatalog.Course(
                        id: row.id, title: row.title, policy: row.policy)
                }
                for row in results[parts] {
                    catalog.tenants[row.tenant]?.contents?.courses[row.course]?.items.insert(row.content)
                }
            }
        }
    }
}
