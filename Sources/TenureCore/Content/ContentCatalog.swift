/// Names a content item: 1 to 128 of `A`-`Z`, `a`-`z`, `0`-`9`, `.`, `_`, `~`, `:` and `-`.
public struct ContentID: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// As it stands in catalogs and requests, such as `mck-1`.
    public let text: String

    /// Refuses a text of another shape.
    public init?(_ text: String) {
        let allowed = text.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x3A, 0x5F, 0x7E: true
            default: false
            }
        }
        guard allowed, (1...128).contains(text.utf8.count) else { return nil }
        self.text = text
    }

    /// The text without more, for paths and messages.
    public var description: String { text }

    /// Orders names by their bytes.
    public static func < (one: ContentID, other: ContentID) -> Bool { one.text < other.text }
}

/// Names a policy among a tenant's content.
public typealias ContentPolicyID = Slug<ContentPolicy>

/// Names a course among a tenant's content.
public typealias CourseID = Slug<Course>

/// Several contents that are had together: its items of today, so that a lesson added is covered at once.
public struct Course: Sendable, Hashable {
    /// Its name.
    public let id: CourseID
    /// Its name for people.
    public var title: String
    /// The policy of its contents; nil for each content's own.
    public var policy: ContentPolicyID?
    /// What it has today.
    public var items: Set<ContentID>

    /// Makes a course.
    public init(id: CourseID, title: String, policy: ContentPolicyID? = nil, items: Set<ContentID> = []) {
        self.id = id
        self.title = title
        self.policy = policy
        self.items = items
    }
}

/// One content that may be kept offline.
public struct ContentItem: Sendable, Hashable {
    /// Its name.
    public let id: ContentID
    /// Its name for people.
    public var title: String
    /// The policy of its licenses, where neither enrolment nor course names one.
    public var policy: ContentPolicyID
    /// Kollus's media content key.
    public var kollusKey: String

    /// Makes an item.
    /// - Parameter kollusKey: Nil for the item's own name.
    public init(id: ContentID, title: String, policy: ContentPolicyID, kollusKey: String? = nil) {
        self.id = id
        self.title = title
        self.policy = policy
        self.kollusKey = kollusKey ?? id.text
    }
}

/// What a tenant offers to be kept offline.
public struct ContentCatalog: Sendable, Hashable {
    /// Who may have a content.
    public enum Access: String, Sendable, Hashable, CaseIterable {
        /// Who has an enrolment that covers it.
        case enrolled
        /// Everybody: an enrolment is made at first use.
        case open
    }

    /// Who may have a content.
    public var access: Access
    /// The policies, by name.
    public var policies: [ContentPolicyID: ContentPolicy]
    /// The contents, by name.
    public var items: [ContentID: ContentItem]
    /// The courses, by name.
    public var courses: [CourseID: Course]

    /// Makes a catalog.
    public init(
        access: Access = .enrolled, policies: [ContentPolicyID: ContentPolicy] = [:],
        items: [ContentID: ContentItem] = [:], courses: [CourseID: Course] = [:]
    ) {
        self.access = access
        self.policies = policies
        self.items = items
        self.courses = courses
    }

    /// Whether an enrolment covers a content: it is the one named, or one of the course's of today.
    public func covers(_ scope: Enrolment.Scope, _ content: ContentID) -> Bool {
        switch scope {
        case .content(let one): one == content && items[one] != nil
        case .course(let course): items[content] != nil && courses[course]?.items.contains(content) == true
        }
    }

    /// The policy of a content under an enrolment: the enrolment's, else the course's, else the content's; nil when the
    /// content is not covered.
    public func policy(of content: ContentID, under enrolment: Enrolment) -> ContentPolicy? {
        covers(enrolment.scope, content) ? formerPolicy(of: content, under: enrolment) : nil
    }

    /// The policy that a content has under an enrolment, or had when it was covered; nil when nothing says so any more.
    public func formerPolicy(of content: ContentID, under enrolment: Enrolment) -> ContentPolicy? {
        let ofCourse: ContentPolicyID? =
            if case .course(let course) = enrolment.scope { courses[course]?.policy } else { nil }
        return (enrolment.policy ?? ofCourse ?? items[content]?.policy).flatMap { policies[$0] }
    }
}
