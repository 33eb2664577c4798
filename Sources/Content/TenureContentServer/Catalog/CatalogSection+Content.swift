import TenureContent
import TenureCore
import TenureFormats
import TenureServerKit
import TenureStore

extension CatalogSection {
    /// The section for offline content and a tenant's settings for other license servers.
    static let contents = CatalogSection(
        members: [
            CatalogField("content", schema: { _ in ContentsSpec.section.schema }) { node, tenant, reader in
                guard node.value != .null else { return }
                var listed = ContentsSpec()
                ContentsSpec.section.fill(
                    &listed, from: ContentsSpec.section.members(of: node, &reader), of: node, &reader)
                tenant.contents = listed.contents
                if let kollus = listed.kollus { reader.gather(kollus, of: tenant.id) }
                if let site = listed.doverunner { reader.gather(site, of: tenant.id) }
                if let key = listed.axinom { reader.gather(key, of: tenant.id) }
            }
        ],
        uses: { query in
            let counts = query.view(ContentUses.all)
            return { results in
                var uses = CatalogUses()
                for use in results[counts] { uses[use.kind, use.name] = use.count }
                return uses
            }
        },
        prepare: { file, preparation throws(ServerError) in
            let kollus = try await SealedSettingsPlan<KollusSettings>(file, preparation)
            let doverunner = try await SealedSettingsPlan<DoveRunnerSettings>(file, preparation)
            let axinom = try await SealedSettingsPlan<AxinomSettings>(file, preparation)
            return CatalogPlanner(version: preparation.catalog.version) { listed, plan in
                if let contents = listed.tenant.contents {
                    plan.plan(contents, of: listed.tenant.id, over: listed.existing?.contents, listed)
                }
                let isListed = listed.tenant.contents != nil
                kollus.plan(listed, isSectionListed: isListed, &plan)
                let (isSetUp, isChanged) = kollus.state(after: listed, isSectionListed: isListed)
                if isSetUp { plan.checkKollusLimits(listed, isNew: isChanged) }
                doverunner.plan(listed, isSectionListed: isListed, &plan)
                axinom.plan(listed, isSectionListed: isListed, &plan)
            }
        },
        entries: { _ in [] })
}

extension CatalogReader {
    fileprivate mutating func gather<Settings: TargetSettings>(_ settings: Settings, of tenant: TenantID) {
        gather(SealedSettingsSpec(settings, named: Settings.target.rawValue, of: tenant))
    }
}

/// The number of licenses and enrolments that refer to an object of the catalog, which therefore can't be removed.
struct ContentUses: Sendable {
    let kind: String
    let name: String
    let count: Int

    /// The counts for all tenants.
    static let all = NamedQuery<ContentUses>(
        "uses of contents", touches: [ContentLicense.table.shape, Enrolment.table.shape], sqlite: text, postgres: text
    ) { row in
        let kind: String = try row.next()
        let (tenant, name): (String, String) = (try row.next(), try row.next())
        return ContentUses(kind: kind, name: "\(tenant)/\(name)", count: try row.next())
    }

    private static let text = """
        SELECT 'content' AS kind, tenant, content AS name, count(*) FROM content_licenses GROUP BY tenant, content
        UNION ALL
        SELECT 'scope', tenant, scope, count(*) FROM enrolments GROUP BY tenant, scope
        UNION ALL
        SELECT 'content policy', tenant, policy, count(*) FROM enrolments WHERE policy IS NOT NULL GROUP BY tenant, policy
        """
}

extension CatalogPlan {
    /// Plans the changes that bring a tenant's stored content in line with the file.
    fileprivate mutating func plan(
        _ contents: ContentCatalog, of tenant: TenantID, over existing: ContentCatalog?, _ listed: TenantSpec
    ) {
        if existing?.access != contents.access {
            let row = ContentOfferRow(tenant: tenant, access: contents.access)
            note(
                "contents", tenant.text,
                existing.map { [CatalogEdit("access", $0.access.rawValue, row.access.rawValue)] })
            save(.put(row, over: existing.map { ContentOfferRow(tenant: tenant, access: $0.access) }))
        }
        for policy in contents.policies.values.sorted(by: { $0.id < $1.id }) {
            plan(policy, of: tenant, over: existing?.policies[policy.id])
        }
        for item in contents.items.values.sorted(by: { $0.id < $1.id }) {
            let former = existing?.items[item.id]
            let edits = former.map { ContentCatalog.Item.edits(from: $0, to: item) }
            if edits == [] { continue }
            note("content", "\(tenant)/\(item.id)", edits)
            save(
                .put(
                    ContentItemRow(tenant: tenant, item: item),
                    over: former.map { ContentItemRow(tenant: tenant, item: $0) }))
        }
        for course in contents.courses.values.sorted(by: { $0.id < $1.id }) {
            plan(course, of: tenant, over: existing?.courses[course.id])
        }
        if listed.prune, let existing { prune(existing, keeping: contents, of: tenant, listed.uses) }
    }

    private mutating func plan(_ policy: ContentPolicy, of tenant: TenantID, over existing: ContentPolicy?) {
        let edits = existing.map { ContentPolicy.section.edits(from: $0, to: policy) }
        if edits == [] { return }
        let name = "\(tenant)/\(policy.id)"
        note("content policy", name, edits)
        for remark in policy.remarks { add(PlannedChange(.note, "content policy", name, remark)) }
        save(
            .put(
                ContentPolicyRow(tenant: tenant, policy: policy),
                over: existing.map { ContentPolicyRow(tenant: tenant, policy: $0) }))
    }

    private mutating func plan(
        _ course: ContentCatalog.Course, of tenant: TenantID, over existing: ContentCatalog.Course?
    ) {
        let edits = existing.map { ContentCatalog.Course.edits(from: $0, to: course) }
        if edits == [] { return }
        note("course", "\(tenant)/\(course.id)", edits)
        let row = CourseRow(tenant: tenant, course: course)
        let former = existing.map { CourseRow(tenant: tenant, course: $0) }
        if row != former { save(.put(row, over: former)) }
        let before = existing?.items ?? []
        for item in before.subtracting(course.items).sorted() {
            save(.remove(CourseItemRow(tenant: tenant, course: course.id, content: item)))
        }
        for item in course.items.subtracting(before).sorted() {
            save(.insert(CourseItemRow(tenant: tenant, course: course.id, content: item)))
        }
    }

    /// Plans the removal of what the file doesn't name, if no license, enrolment or other entry uses it.
    private mutating func prune(
        _ existing: ContentCatalog, keeping remaining: ContentCatalog, of tenant: TenantID, _ uses: CatalogUses
    ) {
        var stays = remaining
        for course in existing.courses.values.sorted(by: { $0.id < $1.id }) where remaining.courses[course.id] == nil {
            let name = "\(tenant)/\(course.id)"
            let count = uses["scope", "\(tenant)/\(Enrolment.Scope.course(course.id))"]
            guard count == 0 else {
                add(
                    PlannedChange(
                        .keep, "course", name, count == 1 ? "it has 1 enrolment" : "it has \(count) enrolments"))
                stays.courses[course.id] = course
                continue
            }
            add(PlannedChange(.remove, "course", name))
            for item in course.items.sorted() {
                save(.remove(CourseItemRow(tenant: tenant, course: course.id, content: item)))
            }
            save(.remove(CourseRow(tenant: tenant, course: course)))
        }
        for item in existing.items.values.sorted(by: { $0.id < $1.id }) where remaining.items[item.id] == nil {
            let name = "\(tenant)/\(item.id)"
            let count =
                uses["content", name] + uses["scope", "\(tenant)/\(Enrolment.Scope.content(item.id))"]
                + stays.courses.values.count { $0.items.contains(item.id) }
            guard count == 0 else {
                add(PlannedChange(.keep, "content", name, "licenses, enrolments or courses use it"))
                stays.items[item.id] = item
                continue
            }
            add(PlannedChange(.remove, "content", name), .remove(ContentItemRow(tenant: tenant, item: item)))
        }
        for policy in existing.policies.values.sorted(by: { $0.id < $1.id }) where remaining.policies[policy.id] == nil
        {
            let name = "\(tenant)/\(policy.id)"
            let isNamed =
                stays.items.values.contains { $0.policy == policy.id }
                || stays.courses.values.contains { $0.policy == policy.id }
            guard !isNamed, uses["content policy", name] == 0 else {
                add(PlannedChange(.keep, "content policy", name, "content items, courses or enrolments use it"))
                continue
            }
            add(
                PlannedChange(.remove, "content policy", name),
                .remove(ContentPolicyRow(tenant: tenant, policy: policy)))
        }
    }
}
