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

    /// The code that the device's app shows, such as `3f2b-7c1e-90ab`.
    var code: String { DeviceHash(device)?.code ?? device }

    private var end: Timestamp { trial.end(under: product) }

    var state: TrialState { now < end ? .running : .ended }

    static let document = Document<ShownTrial>(
        "Trial",
        [
            .text("tenant", "The vendor.") { $0.product.ref.tenant.text },
            .text("product", "The product.") { $0.product.ref.product.text },
            .text("device", "The hash that identifies the device.") { $0.device },
            .text("code", "The device's code, which its app shows: the beginning of the hash.") { $0.code },
            .text("state", "Whether it's running.", .choice(TrialState.allCases.map(\.rawValue))) { $0.state.rawValue },
            .moment("startedAt", "When it began.") { $0.trial.start },
            .moment("endsAt", "When it ends or ended.") { $0.end },
            .integer("days", "How long it lasts.") { Int64($0.trial.days(under: $0.product)) },
            .integer("extraDays", "How many of these days were added for this device.") { Int64($0.trial.extraDays) },
            .moment("recordedAt", "When the server learned of it.") { $0.trial.recordedAt },
        ])

    static let page: [LabeledText<ShownTrial>] = [
        LabeledText("device", \.device), LabeledText("code", \.code),
        LabeledText("product") { $0.product.ref.description },
        .state("state") { $0.state.rawValue }, LabeledText("began") { $0.trial.start.local },
        LabeledText("ends") { $0.end.local },
        LabeledText("days") { shown in
            let days = shown.trial.days(under: shown.product)
            return "\(days)" + (shown.trial.extraDays > 0 ? ", \(shown.trial.extraDays) of them added" : "")
        },
        LabeledText("recorded") { $0.trial.recordedAt.local },
    ]

    static let columns: [LabeledText<ShownTrial>] = [
        LabeledText("device", \.code), LabeledText("product") { $0.product.ref.description },
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

    /// Reads a device's code or 8 to 64 hexadecimal digits, in any case; dashes don't count.
    ///
    /// Returns `nil` for any other text.
    init?(text: String) {
        let digits = text.utf8.filter { $0 != UInt8(ascii: "-") }
        guard (8...64).contains(digits.count) else { return nil }
        func hash(filledWith digit: UInt8) -> [UInt8]? {
            Hex.decode(
                String(decoding: digits + [UInt8](repeating: digit, count: 64 - digits.count), as: UTF8.self)
                    .lowercased())
        }
        guard let low = hash(filledWith: UInt8(ascii: "0")), let high = hash(filledWith: UInt8(ascii: "f")) else {
            return nil
        }
        self.low = low
        self.high = high
    }
}

extension ArgumentReading where Value == DevicePrefix {
    /// Reads a device's code, or 8 to 64 hexadecimal digits.
    static var devicePrefix: ArgumentReading {
        ArgumentReading { text in
            guard let device = DevicePrefix(text: text) else {
                throw UsageError("enter the device's code, such as 3f2b-7c1e-90ab, or 8 to 64 hexadecimal digits")
            }
            return device
        }
    }
}

extension FieldType where Value == DevicePrefix {
    /// A device's code, or the beginning of its hash.
    static var devicePrefix: FieldType {
        .text(
            "a device's code, or 8 to 64 hexadecimal digits", like: "00000000", longest: 256,
            schema: .text(pattern: "^([0-9A-Fa-f]-?){8,64}$")
        ) { DevicePrefix(text: $0) }
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

    /// Reads the trials of several products that began last, and the place after which the next page starts.
    func latestTrials(
        of products: [Product], _ state: TrialState?, after cursor: TrialCursor?, at now: Timestamp, limit: Int
    ) async throws(StoreError) -> (shown: [ShownTrial], next: TrialCursor?) {
        var trials: [ShownTrial] = []
        for product in products {
            // One more than is shown, to see whether there is a next page.
            trials += try await latestTrials(of: product, state, after: cursor, at: now, limit: limit + 1)
        }
        trials.sort { $1.cursor < $0.cursor }
        let shown = Array(trials.prefix(limit))
        return (shown, trials.count > shown.count ? shown.last?.cursor : nil)
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
