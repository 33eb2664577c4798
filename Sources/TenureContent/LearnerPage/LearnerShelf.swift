import TenureCore
import TenureServerKit
import TenureStore

/// All that a learner's page tells: courses and contents with where they stand, and devices with what lies on them.
struct LearnerShelf: Sendable {
    /// A content, on a device or as the holder has it.
    struct Title: Sendable {
        let title: String
        let outlook: ContentOutlook
        /// The license that the outlook is of; nil where no device has one.
        let license: ContentLicense?
    }

    /// A course, by the best of the holder's enrolments in it.
    struct Course: Sendable {
        let title: String
        let enrolment: CountedEnrolment
        /// Why nothing is given under it; nil when something is.
        let obstacle: Reason?
        /// Why no device more gets a place; nil where one does.
        let full: Reason?
        let titles: [Title]
        /// How many contents the course has.
        let size: Int
    }

    /// A device with what lies there.
    struct Device: Sendable {
        let listed: ContentDevices.Listed
        let titles: [Title]
    }

    let courses: [Course]
    /// What no course of the holder has.
    let others: [Title]
    let devices: [Device]
    /// How far the holder may release devices; nil for not at all.
    let selfRelease: SelfRelease.Standing?
    /// The moment of which this is true.
    let now: Timestamp

    /// So many contents of all courses are told of, so many others, and so many on all of so many devices.
    static let (mostContents, mostDevices) = (500, 100)
}

/// Reads what a learner's page tells, in one moment.
struct ReadLearnerShelf: Sendable {
    let catalog: CatalogCache
    let clock: any WallClock

    /// Throws ``ServerError``.
    func callAsFunction(of holder: String, at tenant: TenantID) async throws(ServerError) -> LearnerShelf {
        let own: [StoredValue] = [.of(tenant), .of(holder)]
        let (seen, looks, snapshot) = try await catalog.look(Self.form.asked(all: own + own + own + own))
        let contents = snapshot.catalog.tenants[tenant]?.contents ?? ContentCatalog()
        let now = clock.now()
        let outlooks = LearnerOutlooks(
            contents, enrolments: seen[looks.enrolments], places: seen[looks.places], takings: seen[looks.takings],
            licenses: seen[looks.licenses].filter { $0.state != .returned }, at: now)
        let devices = ContentDevices.listed(
            seen[looks.licenses], seen[looks.named], seen[looks.enrolments], seen[looks.releases], contents, at: now)
        var left = LearnerShelf.mostContents
        let shown = devices.devices.prefix(LearnerShelf.mostDevices).map { device in
            let titles = outlooks.titles(on: device.device, atMost: left)
            left -= titles.count
            return LearnerShelf.Device(listed: device, titles: titles)
        }
        return LearnerShelf(
            courses: outlooks.courses, others: outlooks.others, devices: Array(shown), selfRelease: devices.selfRelease,
            now: now)
    }

    private static let form = CatalogForm { ask in
        let enrolments = ask.rows(Enrolment.ofHolder, upTo: 100_000)
        return (
            enrolments: enrolments,
            places: ask.each(EnrolmentPlace.ofEnrolment, upTo: 10_000, .column("id", of: enrolments)),
            takings: ask.each(EarlyTaking.ofEnrolment, upTo: 1_001, .column("id", of: enrolments)),
            licenses: ask.rows(ContentLicense.ofHolder, upTo: 100_000),
            named: ask.rows(ContentDevice.ofHolder, upTo: 10_000),
            releases: ask.rows(DeviceRelease.ofHolder, upTo: SelfRelease.highestPerYear)
        )
    }
}
