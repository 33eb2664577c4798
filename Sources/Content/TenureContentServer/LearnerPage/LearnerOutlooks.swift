import TenureContent
import TenureCore

/// Computes the state of each of a holder's content items from the stored rows.
struct LearnerOutlooks {
    private let contents: ContentCatalog
    private let enrolments: [EnrolmentID: Enrolment]
    private let byScope: [Enrolment.Scope: [Enrolment]]
    private let devices: [EnrolmentID: Enrolment.Devices]
    private let byContent: [ContentID: [ContentLicense]]
    private let byDevice: [Digest: [ContentLicense]]
    private let now: Timestamp

    /// Creates outlooks from all rows of a holder.
    ///
    /// - Parameters:
    ///   - enrolments: The holder's enrolments.
    ///   - devices: The devices of the enrolments.
    ///   - changes: The device changes of the enrolments.
    ///   - licenses: The licenses that haven't been returned.
    init(
        _ contents: ContentCatalog, enrolments: [Enrolment], devices: [Enrolment.Device],
        changes: [Enrolment.DeviceChange],
        licenses: [ContentLicense], at now: Timestamp
    ) {
        self.contents = contents
        self.enrolments = Dictionary(enrolments.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        byScope = Dictionary(grouping: enrolments, by: \.scope)
        let changes = Dictionary(grouping: changes, by: \.enrolment)
        let byEnrolment = Dictionary(grouping: devices, by: \.enrolment)
        self.devices = Dictionary(
            uniqueKeysWithValues: Set(enrolments.map(\.id)).map { id in
                (id, Enrolment.Devices(id, byEnrolment[id] ?? [], changes: changes[id] ?? []))
            })
        byContent = Dictionary(grouping: licenses, by: \.present.content)
        byDevice = Dictionary(grouping: licenses, by: \.present.device)
        self.now = now
    }

    /// The courses in which the holder is or was enrolled, by title.
    var courses: [LearnerContents.Course] {
        var left = LearnerContents.mostContents
        let named = byScope.compactMap { scope, enrolments in scope.course.map { (course: $0, enrolments: enrolments) }
        }
        let titled = named.map { course, enrolments in
            (title: contents.courses[course]?.title ?? course.text, course: course, enrolments: enrolments)
        }
        return titled.sorted { ($0.title, $0.course.text) < ($1.title, $1.course.text) }.compactMap { one in
            let enrolments = one.enrolments.map { (enrolment: $0, obstacle: $0.obstacle(at: now)) }
            let best = enrolments.min { $0.enrolment.precedes($1.enrolment, $0.obstacle, $1.obstacle) }
            guard let (enrolment, obstacle) = best else { return nil }
            let items = (contents.courses[one.course]?.items ?? []).filter { contents.items[$0] != nil }
            let titles = items.sorted().prefix(max(0, left)).map(title)
            left -= titles.count
            let devices = devices[enrolment.id] ?? Enrolment.Devices(enrolment.id)
            let policy = items.min().flatMap { contents.policy(of: $0, under: enrolment) }
            return LearnerContents.Course(
                title: one.title, enrolment: CountedEnrolment(enrolment, devices: devices.devices, contents, at: now),
                obstacle: obstacle,
                full: obstacle == nil ? policy.flatMap { devices.obstacle(toAnother: $0, at: now) } : nil,
                titles: titles, size: items.count)
        }
    }

    /// The holder's items outside courses.
    ///
    /// These are items with an enrolment of their own, and items on a device that no enrolment covers any more. With
    /// open access, they include all other items.
    var others: [LearnerContents.Title] {
        var names = Set(byScope.keys.compactMap(\.content)).union(byContent.keys)
        if contents.access == .open { names.formUnion(contents.items.keys) }
        let inCourses = byScope.keys.compactMap(\.course).compactMap { contents.courses[$0]?.items }
        return names.filter { name in !inCourses.contains { $0.contains(name) } }.sorted()
            .prefix(LearnerContents.mostContents).map(title)
    }

    /// The items on a device, up to a maximum.
    func titles(on device: Digest, atMost most: Int) -> [LearnerContents.Title] {
        let licenses = (byDevice[device] ?? []).sorted { $0.present.content < $1.present.content }
        return licenses.prefix(most).map { license in
            title(
                license.present.content, license.outlook(offers: offers(of: license.present.content, license), at: now),
                of: license)
        }
    }

    /// Returns an item with the outlook of one of its licenses, the one that ``ContentOutlook/isBetter(than:)`` ranks
    /// first.
    ///
    /// If no device has a license, the outlook says whether the holder can get the item.
    private func title(_ content: ContentID) -> LearnerContents.Title {
        let copies = (byContent[content] ?? []).map { license in
            (license: license, outlook: license.outlook(offers: offers(of: content, license), at: now))
        }
        guard let best = copies.min(by: { $0.outlook.isBetter(than: $1.outlook) }) else {
            let offers = offers(of: content)
            let isForAll = offers.isEmpty && contents.access == .open && contents.items[content] != nil
            return title(content, isForAll ? .forAll : offers.outlook(at: now), of: nil)
        }
        return title(content, best.outlook, of: best.license)
    }

    private func title(
        _ content: ContentID, _ outlook: ContentOutlook, of license: ContentLicense?
    ) -> LearnerContents.Title {
        LearnerContents.Title(title: contents.items[content]?.title ?? content.text, outlook: outlook, license: license)
    }

    /// Returns the enrolments that cover an item, plus the one to which an existing license belongs.
    private func offers(of content: ContentID, _ license: ContentLicense? = nil) -> [Enrolment.Offer] {
        var found = byScope[.content(content)] ?? []
        for (scope, enrolments) in byScope {
            if let course = scope.course, contents.courses[course]?.items.contains(content) == true {
                found += enrolments
            }
        }
        if let license, !found.contains(where: { $0.id == license.enrolment }), let own = enrolments[license.enrolment]
        {
            found.append(own)
        }
        return found.sorted { $0.id < $1.id }.map { enrolment in
            Enrolment.Offer(
                enrolment, policy: contents.policy(of: content, under: enrolment), devices: devices[enrolment.id])
        }
    }
}

extension ContentOutlook {
    /// Whether this outlook's state comes before the other's in the order of the cases, or is the same and lasts
    /// longer.
    fileprivate func isBetter(than other: ContentOutlook) -> Bool {
        let order = State.allCases
        let (one, two) = (order.firstIndex(of: state) ?? 0, order.firstIndex(of: other.state) ?? 0)
        if one != two { return one < two }
        return reach != other.reach && reach.orLonger(other.reach) == reach
    }
}
