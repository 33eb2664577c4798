import TenureContent
import TenureCore
import TenureFormats
import TenureServerKit

/// A tenant's content in a catalog file, with its settings for other license servers.
///
/// The settings contain secrets, so they aren't part of the in-memory catalog.
struct ContentsSpec: Sendable {
    var contents = ContentCatalog()
    var kollus: KollusSettings?
    var doverunner: DoveRunnerSettings?
    var axinom: AxinomSettings?

    /// The schema of the member `content` in a catalog file.
    static let section = CatalogObject(
        "Content that can be kept offline, and the rules for it.", sample: ContentsSpec(), isNullable: true,
        [
            .choice(
                "access", \.contents.access,
                else:
                    "must be \"enrolled\" (only holders with an enrolment) or \"open\" (everyone; an enrolment is "
                    + "created at first use)"
            ),
            .list("policies", of: ContentPolicy.section.schema) { node, listed, reader in
                guard let policy = ContentPolicy(node, &reader) else { return }
                if listed.contents.policies.updateValue(policy, forKey: policy.id) != nil {
                    reader.report(node, "the policy \(policy.id) is listed twice")
                }
            },
            .list("items", of: ContentCatalog.Item.section.schema) { node, listed, reader in
                guard let item = ContentCatalog.Item(node, listed.contents, &reader) else { return }
                if listed.contents.items.updateValue(item, forKey: item.id) != nil {
                    reader.report(node, "the content item \(item.id) is listed twice")
                }
            },
            .list("courses", of: ContentCatalog.Course.section.schema) { node, listed, reader in
                guard let course = ContentCatalog.Course(node, listed.contents, &reader) else { return }
                if listed.contents.courses.updateValue(course, forKey: course.id) != nil {
                    reader.report(node, "the course \(course.id) is listed twice")
                }
            },
            .target("kollus", \.kollus), .target("doverunner", \.doverunner), .target("axinom", \.axinom),
        ]
    ) { listed, _, node, reader in
        guard listed.kollus != nil else { return }
        for policy in listed.contents.policies.values.sorted(by: { $0.id < $1.id }) {
            for breach in policy.kollusBreaches {
                reader.report(
                    node,
                    "Kollus supports \(breach.member) from \(breach.range.lowerBound) to \(breach.range.upperBound), "
                        + "but the policy \(policy.id) sets another value")
            }
        }
    }
}

extension CatalogField<ContentsSpec> {
    /// The member for the settings of one license server.
    fileprivate static func target<Settings: TargetSettings>(
        _ name: String, _ path: any WritableKeyPath<ContentsSpec, Settings?> & Sendable
    ) -> Self {
        CatalogField(name, schema: { _ in Settings.section.schema.adding("default", .null) }) { node, listed, reader in
            guard node.value != .null else { return }
            var settings = Settings.empty
            let found = reader.problems.count
            Settings.section.fill(
                &settings, from: Settings.section.members(of: node, &reader), of: node, &reader)
            if reader.problems.count == found { listed[keyPath: path] = settings }
        }
    }
}

extension ContentCatalog.Item {
    fileprivate static let section = CatalogObject(
        "A content.", sample: ContentCatalog.Item(id: .sample, title: "", policy: .sample),
        [
            .id(schema: .text(length: 1...128, pattern: "^[A-Za-z0-9._~:-]+$")), .text("title", \.title),
            CatalogField(
                "policy", needs: "needs a \"policy\": one of \"policies\"", schema: { _ in .slug }, text: \.policy.text
            ) { node, item, reader in
                if let policy = reader.slug(node, of: node, as: ContentPolicyID.self) { item.policy = policy }
            },
            .text("kollusKey", \.kollusKey, "The media content key in Kollus; by default the id."),
        ])

    /// Reads an item; `nil` if it has no valid id.
    fileprivate init?(_ node: CatalogNode, _ contents: ContentCatalog, _ reader: inout CatalogReader) {
        let members = Self.section.members(of: node, &reader)
        guard let id = reader.content(members["id"], of: node) else { return nil }
        self.init(id: id, title: id.text, policy: .sample)
        let found = reader.problems.count
        Self.section.fill(&self, from: members, of: node, &reader)
        if reader.problems.count == found, contents.policies[policy] == nil {
            reader.report(members["policy"] ?? node, "there is no policy \(policy) in \"policies\"")
        }
    }
}

extension ContentCatalog.Course {
    fileprivate static let section = CatalogObject(
        "A set of content items that holders enrol in together.", sample: ContentCatalog.Course(id: .sample, title: ""),
        [
            .id(), .text("title", \.title),
            CatalogField(
                "policy", schema: { _ in Schema.slug.orNull.adding("default", .null) },
                text: { $0.policy?.text ?? "none" }
            ) { node, course, reader in
                if node.value != .null { course.policy = reader.slug(node, of: node, as: ContentPolicyID.self) }
            },
            CatalogField(
                "items", schema: { _ in Schema.list(of: .text()).adding("default", []) },
                edits: { old, new in
                    let (came, went) = (new.items.subtracting(old.items), old.items.subtracting(new.items))
                    return came.isEmpty && went.isEmpty
                        ? []
                        : [
                            CatalogEdit(
                                "items", "\(old.items.count)", "\(new.items.count) (+\(came.count) -\(went.count))")
                        ]
                },
                { node, course, reader in
                    for element in reader.list(node) {
                        guard let id = reader.content(element, of: node) else { continue }
                        if !course.items.insert(id).inserted {
                            reader.report(element, "the content item is listed twice")
                        }
                    }
                }),
        ])

    /// Reads a course; `nil` if it has no valid id.
    fileprivate init?(_ node: CatalogNode, _ contents: ContentCatalog, _ reader: inout CatalogReader) {
        let members = Self.section.members(of: node, &reader)
        guard let id = reader.slug(members["id"], of: node, as: CourseID.self) else { return nil }
        self.init(id: id, title: id.text)
        Self.section.fill(&self, from: members, of: node, &reader)
        if let policy, contents.policies[policy] == nil {
            reader.report(members["policy"] ?? node, "there is no policy \(policy) in \"policies\"")
        }
        for item in items.sorted() where contents.items[item] == nil {
            reader.report(members["items"] ?? node, "there is no content item \(item) in \"items\"")
        }
    }

    /// The differences between two versions of a course, for a plan.
    static func edits(from old: ContentCatalog.Course, to new: ContentCatalog.Course) -> [CatalogEdit] {
        section.edits(from: old, to: new)
    }
}

extension ContentCatalog.Item {
    /// The differences between two versions of an item, for a plan.
    static func edits(from old: ContentCatalog.Item, to new: ContentCatalog.Item) -> [CatalogEdit] {
        section.edits(from: old, to: new)
    }
}

extension CatalogReader {
    /// Reads a content id; reports it and returns `nil` if it is missing or invalid.
    fileprivate mutating func content(_ node: CatalogNode?, of parent: CatalogNode) -> ContentID? {
        guard let node else {
            report(parent, "needs an \"id\"")
            return nil
        }
        guard case .string(let text) = node.value, let id = ContentID(text) else {
            report(node, "must be 1 to 128 characters: A-Z, a-z, 0-9, ., _, ~, : and -")
            return nil
        }
        return id
    }
}

extension ContentID {
    fileprivate static var sample: ContentID {
        guard let sample = ContentID("sample") else { preconditionFailure("\"sample\" is not a content id") }
        return sample
    }
}
