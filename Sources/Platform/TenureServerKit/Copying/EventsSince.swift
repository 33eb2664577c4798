package import TenureCore
import TenureFormats
package import TenureStore

/// The events that a later store has recorded since a copy was made, by the record that they're about.
///
/// They show which records were issued or changed since the copy, and by whom.
package struct EventsSince: Sendable {
    /// A record that an event can be about.
    package enum Record: Sendable, Hashable {
        case license(LicenseID)
        case activation(ActivationID)
        case enrolment(EnrolmentID)
        case account(AccountRef)
        case grant(AccountRef, AppleItemID)
        case trial(ProductRef, device: Digest)
        case contentLicense(ContentLicenseID)
        /// The devices of an enrolment, which events of the enrolment and of its content licenses concern.
        case devices(EnrolmentID)

        /// The number by which stored responses refer to the record; `nil` if they don't refer to records of this kind.
        var number: Int64? {
            switch self {
            case .license(let id): id.number
            case .enrolment(let id): id.number
            case .activation, .account, .grant, .trial, .contentLicense, .devices: nil
            }
        }
    }

    /// The error that prevented reading all events; `nil` if all were read.
    package private(set) var fault: StoreError?
    /// Whether one of the events is a restore, which may carry over records without their events.
    package private(set) var hasRestore = false
    /// Whether an operator has accepted a clock change, so that an event may have an earlier date than the event before
    /// it.
    package private(set) var mayLeap = false
    private var events: [Record: [EventRecord]] = [:]

    package init() {}

    /// Returns the events about a record, oldest first.
    package subscript(record: Record) -> [EventRecord] { events[record] ?? [] }

    /// Returns the events about a record that other stores lack, oldest first.
    ///
    /// A restore records events again under new numbers, so two stores may have the same event under different
    /// numbers.
    func events(about record: Record, without others: [EventsSince]) -> [EventRecord] {
        self[record].filter { event in !others.contains { $0[record].contains { $0.event == event.event } } }
    }

    /// Reads the events after the copy's last ones, as far as the later store can be read.
    ///
    /// - Parameter copied: The number of each tenant's last event in the copy.
    package static func read(from later: any Store, after copied: ContinueEvents.Numbers) async -> EventsSince {
        var since = EventsSince()
        do throws(StoreError) {
            since.mayLeap = try await ClockWatch.Mark.read(from: later).accepted != nil
            for counter in try await EventCounter.all(in: later) {
                _ = try await since.add(counter.tenant, of: later, after: copied[counter.tenant] ?? 0)
            }
        } catch {
            since.fault = error
        }
        return since
    }

    /// Adds the events of a tenant after a number. Returns the number of the tenant's last event.
    mutating func add(
        _ tenant: TenantID, of later: any Store, after number: Int64
    ) async throws(StoreError) -> Int64 {
        var last = number
        while true {
            let page = try await later.list(
                Listing(
                    EventRecord.ofTenant, [.of(tenant)], after: [.of(tenant), .integer(last)], limit: Self.pageSize))
            for record in page { add(record) }
            last = page.last?.sequence ?? last
            if page.count < Self.pageSize { return last }
        }
    }

    private mutating func add(_ event: EventRecord) {
        if event.event.kind == .storeRestored { hasRestore = true }
        if event.event.kind == .clockAccepted { mayLeap = true }
        for record in Record.all(of: event.event) { events[record, default: []].append(event) }
    }

    private static let pageSize = 1_000
}

extension EventsSince.Record {
    /// The records that an event is about.
    fileprivate static func all(of event: Event) -> [Self] {
        [Self(event), event.subject.enrolment.map { .devices($0) }].compactMap(\.self)
    }

    private init?(_ event: Event) {
        let subject = event.subject
        if let license = subject.contentLicense {
            self = .contentLicense(license)
        } else if let activation = subject.activation {
            self = .activation(activation)
        } else if let license = subject.license {
            self = .license(license)
        } else if let enrolment = subject.enrolment {
            self = .enrolment(enrolment)
        } else if let account = subject.account {
            let ref = AccountRef(tenant: subject.tenant, account: account)
            self = subject.app.map { .grant(ref, $0) } ?? .account(ref)
        } else if let product = subject.product,
            case .text(let digits)? = event.facts.first(where: { $0.name == "device" })?.value,
            let device = Hex.decode(digits).flatMap({ Digest($0) })
        {
            self = .trial(ProductRef(tenant: subject.tenant, product: product), device: device)
        } else {
            return nil
        }
    }
}
