import TenureCommandLine
import TenureCore
import TenureFormats
import TenureLicensing
import TenureServerKit
import TenureStore

/// Whether a trial is running or has ended.
enum TrialState: String, CaseIterable, Sendable {
    case running
    case ended
}

/// A device's trial as commands show it.
struct ShownTrial: Sendable {
    let trial: Trial
    let product: Product
    /// The name and system that the device reported; `nil` if it reported none, or if they have been removed since.
    let reported: Trial.Device?
    let now: Timestamp

    init(_ trial: Trial, of product: Product, reported: Trial.Device?, at now: Timestamp) {
        self.trial = trial
        self.product = product
        self.reported = reported
        self.now = now
    }

    /// Returns this value with the trial as it is after a change, to be shown at `now`.
    func changed(to trial: Trial, at now: Timestamp) -> ShownTrial {
        ShownTrial(trial, of: product, reported: reported, at: now)
    }

    /// The device's hash in hexadecimal digits.
    var device: String { Hex.encode(trial.device.bytes) }

    /// The code that the device's app shows, such as `3f2b-7c1e-90ab`.
    var code: String { trial.deviceCode }

    /// The device's name; `nil` if none is stored.
    private var name: String? { reported.flatMap { $0.name.isEmpty ? nil : $0.name } }

    private var end: Timestamp { trial.end(under: product) }

    var state: TrialState { trial.state(under: product, at: now) }

    static let document = Document<ShownTrial>(
        "Trial",
        [
            .text("tenant", "The vendor.") { $0.product.ref.tenant.text },
            .text("product", "The product.") { $0.product.ref.product.text },
            .text("device", "The hash that identifies the device.") { $0.device },
            .text("code", "The device's code, which its app shows: the beginning of the hash.") { $0.code },
            .textOrNull(
                "name",
                "The device's name, as the app reported it; removed \(Trial.Device.retentionDays) days after the trial's end."
            ) { $0.name },
            .textOrNull("system", "The device's operating system, such as `macOS`; removed with the name.") {
                $0.reported?.system?.name
            },
            .textOrNull("systemVersion", "The version of its operating system, such as `15.1`.") {
                $0.reported?.system?.version
            },
            .text("state", "Whether it's running.", .choice(TrialState.allCases.map(\.rawValue))) { $0.state.rawValue },
            .dateTime("startedAt", "When it began.") { $0.trial.start },
            .dateTime("endsAt", "When it ends or ended.") { $0.end },
            .integer("days", "How long it lasts.") { Int64($0.trial.days(under: $0.product)) },
            .integer("extraDays", "How many of these days were added for this device.") { Int64($0.trial.extraDays) },
            .dateTime("recordedAt", "When the server learned of it.") { $0.trial.recordedAt },
        ])

    static let page: [LabeledText<ShownTrial>] = [
        LabeledText("device", \.device), LabeledText("code", \.code), LabeledText("name") { $0.name ?? "-" },
        LabeledText("system") { $0.reported?.system?.text ?? "-" },
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
        LabeledText("device", \.code), LabeledText("name") { $0.name ?? "-" },
        LabeledText("system") { $0.reported?.system?.text ?? "-" },
        LabeledText("product") { $0.product.ref.description },
        .state("state") { $0.state.rawValue }, LabeledText("began") { $0.trial.start.local },
        LabeledText("ends") { $0.end.local },
        LabeledText("added") { $0.trial.extraDays > 0 ? "\($0.trial.extraDays) days" : "-" },
    ]
}

extension Trial {
    /// The device's code; see ``ShownTrial/code``.
    var deviceCode: String {
        let digits = Hex.encode(device.bytes)
        return DeviceHash(digits)?.code ?? digits
    }

    func state(under product: Product, at now: Timestamp) -> TrialState {
        now < end(under: product) ? .running : .ended
    }
}
