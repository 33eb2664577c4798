import TenureContent
package import TenureCore
import TenureServerKit
import TenureStore

/// A holder's rows in a transaction: as they were read, and as successive decisions change them.
///
/// Each decision sees the changes of those before it. At the end, the changed rows are saved.
struct HolderState {
    let tenant: TenantID
    let holder: String
    let contents: ContentCatalog

    private(set) var enrolments: [EnrolmentID: Enrolment]
    private(set) var licenses: [ContentLicenseID: ContentLicense] = [:]
    private(set) var events: [Event] = []

    private var devices: [EnrolmentID: [Digest: Enrolment.Device]] = [:]
    private var changes: [EnrolmentID: [Enrolment.DeviceChange]]
    private let before: (enrolments: [EnrolmentID: Enrolment], devices: [EnrolmentID: [Digest: Enrolment.Device]])
    private var licensesBefore: [ContentLicenseID: ContentLicense] = [:]
    private var newChanges: [Enrolment.DeviceChange] = []
    /// The ids of the licenses on the calling device that haven't been returned, by enrolment.
    ///
    /// An enrolment is missing if its licenses on the device weren't all read.
    private var onDevice: [EnrolmentID: Set<ContentLicenseID>] = [:]

    /// Creates the state from the rows that were read.
    ///
    /// - Parameter loadedEnrolments: The enrolments whose licenses on the device were all read.
    init(
        _ results: QueryResult, _ queries: HolderQueries, tenant: TenantID, holder: String, contents: ContentCatalog,
        loadedEnrolments: Set<EnrolmentID> = []
    ) {
        self.tenant = tenant
        self.holder = holder
        self.contents = contents
        enrolments = Dictionary(uniqueKeysWithValues: results[queries.enrolments].map { ($0.id, $0) })
        for device in results[queries.devices] { devices[device.enrolment, default: [:]][device.device] = device }
        changes = Dictionary(grouping: results[queries.changes], by: \.enrolment)
        before = (enrolments, devices)
        for id in loadedEnrolments { onDevice[id] = [] }
        for license in results[queries.onDevice] { take(license) }
    }

    /// Adds a license as it was read, without marking it as changed.
    mutating func take(_ license: ContentLicense) {
        licenses[license.id] = license
        licensesBefore[license.id] = license
        if license.state != .returned { onDevice[license.enrolment]?.insert(license.id) }
    }

    /// Whether all licenses of an enrolment on the device were read.
    func hasReadLicenses(of enrolment: EnrolmentID) -> Bool { onDevice[enrolment] != nil }

    /// Returns the holder's enrolments as offers for a content item.
    ///
    /// - Parameters:
    ///   - license: The existing license; `nil` for a new one.
    ///   - newID: The id of an enrolment that may be created with open access.
    func offers(
        of content: ContentID, besides license: ContentLicenseID? = nil, orNew newID: EnrolmentID? = nil,
        at now: Timestamp
    ) -> [Enrolment.Offer] {
        var offers = enrolments.values.sorted { $0.id < $1.id }.map { enrolment in
            let devices = Enrolment.Devices(
                enrolment.id, Array((self.devices[enrolment.id] ?? [:]).values), changes: changes[enrolment.id] ?? [])
            let others = onDevice[enrolment.id]?.contains { $0 != license } ?? true
            return Enrolment.Offer(
                enrolment, policy: contents.policy(of: content, under: enrolment), devices: devices, isShared: others)
        }
        if contents.access == .open, let newID,
            !enrolments.values.contains(where: { contents.covers($0.scope, content) })
        {
            let enrolment = Enrolment(id: newID, tenant: tenant, holder: holder, scope: .content(content), madeAt: now)
            offers.append(
                Enrolment.Offer(enrolment, policy: contents.policy(of: content, under: enrolment), isNew: true))
        }
        return offers
    }

    /// The number of devices that count against an enrolment's limit.
    func devices(of enrolment: EnrolmentID, at now: Timestamp) -> Int {
        (devices[enrolment] ?? [:]).values.count { $0.counts(at: now) }
    }

    /// Returns the records of all devices in an enrolment.
    func allDevices(of enrolment: EnrolmentID) -> [Enrolment.Device] { Array((devices[enrolment] ?? [:]).values) }

    /// Returns the record of a device in an enrolment; `nil` if the device was never active there.
    func device(_ device: Digest, in enrolment: EnrolmentID) -> Enrolment.Device? { devices[enrolment]?[device] }

    /// Applies the changes of a decision, so that later decisions see them.
    mutating func apply(_ consequences: ContentLicense.Consequences) {
        if let enrolment = consequences.enrolment { enrolments[enrolment.id] = enrolment }
        for license in consequences.licenses { put(license) }
        for device in consequences.devices { devices[device.enrolment, default: [:]][device.device] = device }
        for change in consequences.changes { changes[change.enrolment, default: []].append(change) }
        newChanges += consequences.changes
        events += consequences.events
    }

    /// Replaces a license or adds a new one, as a change to save.
    mutating func put(_ license: ContentLicense) {
        for id in onDevice.keys where id != license.enrolment || license.state == .returned {
            onDevice[id]?.remove(license.id)
        }
        if license.state != .returned { onDevice[license.enrolment]?.insert(license.id) }
        licenses[license.id] = license
    }

    /// Adds events to those that are saved with the changes.
    mutating func record(_ more: [Event]) { events += more }

    /// The row writes for everything that changed; a row comes after the rows that it refers to.
    var saves: [RowWrite] {
        var saves: [RowWrite] = []
        for (id, enrolment) in enrolments.sorted(by: { $0.key < $1.key }) where before.enrolments[id] != enrolment {
            saves.append(.put(enrolment, over: before.enrolments[id]))
        }
        for (id, devices) in devices.sorted(by: { $0.key < $1.key }) {
            for device in devices.values.sorted(by: { $0.device.bytes.lexicographicallyPrecedes($1.device.bytes) }) {
                let former = before.devices[id]?[device.device]
                if former != device { saves.append(.put(device, over: former)) }
            }
        }
        saves += newChanges.map { RowWrite.insert($0) }
        for (id, license) in licenses.sorted(by: { $0.key < $1.key }) where licensesBefore[id] != license {
            saves.append(.put(license, over: licensesBefore[id]))
        }
        return saves + events.map(RowWrite.event)
    }
}

/// The parameters of the queries for a holder: the tenant and the holder's name.
package struct HolderName: Sendable {
    package let tenant: TenantID
    package let holder: String
}

/// The queries for a holder's enrolments with their devices and device replacements, and for the licenses on one device.
///
/// They take the holder's lock.
struct HolderQueries: Sendable {
    let enrolments: RowsQuery<Enrolment>
    let devices: RowsQuery<Enrolment.Device>
    let changes: RowsQuery<Enrolment.DeviceChange>
    let onDevice: RowsQuery<ContentLicense>

    struct Parameters: Sendable {
        let tenant: TenantID
        let holder: String
        /// The device whose licenses are read.
        let device: Digest
        /// The enrolments whose licenses on the device are all read.
        let loadedEnrolments: Set<EnrolmentID>
    }

    /// Adds the queries to those of a transaction.
    init(_ query: inout QueryBuilder<Parameters>) {
        query.hold(QueryLock.holder) { [.of($0.tenant), .of($0.holder)] }
        enrolments = query.rows(Enrolment.ofHolder, upTo: .everything) { [.of($0.tenant), .of($0.holder)] }
        devices = query.each(Enrolment.Device.ofEnrolment, upTo: .everything, .column("id", of: enrolments))
        changes = query.each(Enrolment.DeviceChange.ofEnrolment, upTo: Self.mostChanges, .column("id", of: enrolments))
        onDevice = query.each(ContentLicense.onDeviceUnderEnrolment, upTo: .everything) { requested in
            requested.loadedEnrolments.sorted().flatMap { [.of($0), .of(requested.device)] }
        }
    }

    /// How many device replacements of an enrolment are read; no policy allows more than 1,000.
    private static let mostChanges = 1_001
}
