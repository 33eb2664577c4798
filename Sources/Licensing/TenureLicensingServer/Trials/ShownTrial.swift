import TenureCommandLine
import TenureCore
import TenureFormats
import TenureLicensing
import TenureServerKit
import TenureStore

/// Whether a trial is still running.
enum TrialState: String, CaseIterable, Sendable {
    case running
    case ended
}

/// A device's trial as commands show it.
struct ShownTrial: Sendable {
    let trial: Trial
    let product: Product
    let now: Timestamp

    init(_ trial: Trial, of product: Product, at now: Timestamp) {
        self.trial = trial
        self.product = product
        self.now = now
    }

    /// The device's hash in hexadecimal digits.
    var device: String { Hex.encode(trial.device.bytes) }

    private var end: Timestamp { trial.end(under: product) }

    var state: TrialState { now < end ? .running : .ended }

    static let document = Document<ShownTrial>(
        "Trial",
        [
            .text("tenant", "The vendor.") { $0.product.ref.tenant.text },
            .text("product", "The product.") { $0.product.ref.product.text },
            .text("device", "The hash that identifies the device.") { $0.device },
            .text("state", "Whether it's running.", .choice(TrialState.allCases.map(\.rawValue))) { $0.state.rawValue },
            .moment("startedAt", "When it began.") { $0.trial.start },
            .moment("endsAt", "When it ends or ended.") { $0.end },
            .integer("days", "How long it lasts.") { Int64($0.trial.days(under: $0.product)) },
            .integer("extraDays", "How many of these days were added for this device.") { Int64($0.trial.extraDays) },
            .moment("recordedAt", "When the server learned of it.") { $0.trial.recordedAt },
        ])

    static let page: [LabeledText<ShownTrial>] = [
        LabeledText("device", \.device), LabeledText("product") { $0.product.ref.description },
        .state("state") { $0.state.rawValue }, LabeledText("began") { $0.trial.start.local },
        LabeledText("ends") { $0.end.local },
        LabeledText("days") { shown in
            let days = shown.trial.days(under: shown.product)
            return "\(days)" + (shown.trial.extraDays > 0 ? ", \(shown.trial.extraDays) of them added" : "")
        },
        LabeledText("recorded") { $0.trial.recordedAt.local },
    ]

    static let columns: [LabeledText<ShownTrial>] = [
        LabeledText("device") { String($0.device.prefix(12)) }, LabeledText("product") { $0.product.ref.description },
        .state("state") { $0.state.rawValue }, LabeledText("began") { $0.trial.start.local },
        LabeledText("ends") { $0.end.local },
        LabeledText("added") { $0.trial.extraDays > 0 ? "\($0.trial.extraDays) days" : "-" },
    ]
}

/// The beginning of a device's hash.
struct DevicePrefix: Sendable {
    /// The lowest hash that begins so.
    let low: [UInt8]
    /// The highest hash that begins so.
    let high: [UInt8]
}

extension ArgumentReading where Value == DevicePrefix {
    /// Reads 8 to 64 hexadecimal digits.
    static var devicePrefix: ArgumentReading {
        ArgumentReading { text in
            let digits = text.lowercased()
            guard (8...64).contains(digits.utf8.count),
                let low = Hex.decode(digits + String(repeating: "0", count: 64 - digits.utf8.count)),
                let high = Hex.decode(digits + String(repeating: "f", count: 64 - digits.utf8.count))
            else { throw UsageError("enter 8 to 64 hexadecimal digits") }
            return DevicePrefix(low: low, high: high)
        }
    }
}

extension Store {
    /// Reads the trials of a product that began last, at most `limit` of them.
    ///
    /// - Parameter cursor: The trial, of this or another product, after which the list starts.
    func latestTrials(
        of product: Product, _ state: TrialState?, after cursor: TrialCursor? = nil, at now: Timestamp, limit: Int
    ) async throws(StoreError) -> [ShownTrial] {
        var found: [ShownTrial] = []
        var last = cursor.map { $0.values(of: product.ref) }
        repeat {
            let page = try await list(
                Listing(Trial.byStart, product.trialValues, after: last ?? [], isBackwards: true, limit: 1000))
            found += page.map { ShownTrial($0, of: product, at: now) }.filter { state == nil || $0.state == state }
            last = page.count == 1000 ? page.last?.orderValues : nil
        } while last != nil && found.count < limit
        return Array(found.prefix(limit))
    }

    /// Reads the trials of a product on devices whose hash begins with the digits, at most 100 of them.
    func trials(of product: Product, _ device: DevicePrefix, at now: Timestamp) async throws(StoreError) -> [ShownTrial]
    {
        let range = [
            Comparison("device", .atLeast(.of(device.low))), Comparison("device", .atMost(.of(device.high))),
        ]
        return try await list(Listing(Trial.ofProduct, product.trialValues, where: [range], limit: 100)).map {
            ShownTrial($0, of: product, at: now)
        }
    }
}

extension Trial {
    /// The values of the columns by which a product's trials are ordered.
    fileprivate var orderValues: [StoredValue] {
        [.of(start), .of(product.tenant), .of(product.product), .of(device)]
    }
}

extension Product {
    fileprivate var trialValues: [StoredValue] { [.of(ref.tenant), .of(ref.product)] }
}
