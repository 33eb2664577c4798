import TenureContent
import TenureCore
import TenureServerKit
import TenureStore

/// The data of the learner page: courses, other content items, and devices with the number of releases that are left.
struct LearnerContents: Sendable {
    /// A content item as the page shows it: on a device, or as available to the holder.
    struct Title: Sendable {
        let title: String
        let outlook: ContentOutlook
        /// The license that the outlook describes; `nil` if no device has one.
        let license: ContentLicense?
    }

    /// A course with the holder's enrolment that is shown for it: one without an obstacle if there is one, then the one that
    /// ends last.
    struct Course: Sendable {
        let title: String
        let enrolment: CountedEnrolment
        /// Why the enrolment allows no license now; `nil` if it allows one.
        let obstacle: Reason?
        /// Why no further device can become active in the enrolment; `nil` if another one can.
        let full: Reason?
        let titles: [Title]
        /// The number of content items in the course.
        let size: Int
    }

    /// A device with its content items.
    struct Device: Sendable {
        let listed: HolderDevices.Device
        let titles: [Title]
    }

    let courses: [Course]
    /// The items that aren't in any of the holder's courses.
    let others: [Title]
    let devices: [Device]
    /// How many devices the holder may still release, and from when; `nil` if the holder can't release devices.
    let selfRelease: SelfRelease.Remaining?
    /// The time at which the data was read.
    let now: Timestamp

    /// The maximum number of items shown in courses, outside courses and on devices, each; and the maximum number of
    /// devices.
    static let (mostContents, mostDevices) = (500, 100)
}

extension ContentContext {
    /// Reads the data of a holder's page in one snapshot.
    func learnerContents(of holder: String, at tenant: TenantID) async throws(ServerError) -> LearnerContents {
        let (results, queries, snapshot) = try await catalog.fetch(
            Self.learnerContents.bind(.init(tenant: tenant, holder: holder)))
        let contents = snapshot.catalog.tenants[tenant]?.contents ?? ContentCatalog()
        let now = clock.now()
        let outlooks = LearnerOutlooks(
            contents, enrolments: results[queries.enrolments], devices: results[queries.devices],
            changes: results[queries.changes],
            licenses: results[queries.licenses].filter { $0.state != .returned }, at: now)
        let devices = HolderDevices(
            results[queries.licenses], results[queries.named], results[queries.enrolments], results[queries.releases],
            contents, at: now)
        var left = LearnerContents.mostContents
        let shown = devices.devices.prefix(LearnerContents.mostDevices).map { device in
            let titles = outlooks.titles(on: device.device, atMost: left)
            left -= titles.count
            return LearnerContents.Device(listed: device, titles: titles)
        }
        return LearnerContents(
            courses: outlooks.courses, others: outlooks.others, devices: Array(shown), selfRelease: devices.selfRelease,
            now: now)
    }

    private static let learnerContents = CatalogQueryPlan(for: HolderName.self) { query in
        let enrolments = query.rows(Enrolment.ofHolder, upTo: 100_000) { [.of($0.tenant), .of($0.holder)] }
        return (
            enrolments: enrolments,
            devices: query.each(Enrolment.Device.ofEnrolment, upTo: 10_000, .column("id", of: enrolments)),
            changes: query.each(Enrolment.DeviceChange.ofEnrolment, upTo: 1_001, .column("id", of: enrolments)),
            licenses: query.rows(ContentLicense.ofHolder, upTo: 100_000) { [.of($0.tenant), .of($0.holder)] },
            named: query.rows(ContentDevice.ofHolder, upTo: 10_000) { [.of($0.tenant), .of($0.holder)] },
            releases: query.rows(DeviceRelease.ofHolder, upTo: SelfRelease.highestPerYear) {
                [.of($0.tenant), .of($0.holder)]
            }
        )
    }
}
