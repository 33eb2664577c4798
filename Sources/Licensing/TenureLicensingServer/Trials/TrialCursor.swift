import TenureCommandLine
import TenureCore
import TenureFormats
import TenureLicensing
import TenureServerKit
import TenureStore

/// The position of a trial in the list of a tenant's trials: by start, then by product, then by device.
struct TrialCursor: Sendable, Hashable, Comparable {
    let start: Timestamp
    let product: ProductRef
    let device: [UInt8]

    static func < (one: TrialCursor, other: TrialCursor) -> Bool {
        if one.start != other.start { return one.start < other.start }
        if one.product != other.product { return one.product < other.product }
        return one.device.lexicographicallyPrecedes(other.device)
    }

    /// The position as `--after` reads it, such as `1795251039:acme/notes:3f2b…`.
    var text: String { "\(start.seconds):\(product):\(Hex.encode(device))" }

    /// The values after which a product's own list starts, so that the lists of several products continue together.
    func values(of other: ProductRef) -> [StoredValue] {
        // The list runs backwards. At the same second, a greater product has been listed, a lesser one hasn't.
        let bound = other == product ? device : other < product ? Self.beyondDevices : []
        return [.of(start), .of(other.tenant), .of(other.product), .of(bound)]
    }

    /// Bytes that are greater than every device's hash.
    private static let beyondDevices = [UInt8](repeating: 0xFF, count: 33)
}

extension Trial {
    var cursor: TrialCursor { TrialCursor(start: start, product: product, device: device.bytes) }
}

extension TrialCursor {
    /// Reads a position's ``text``; returns `nil` for any other text.
    init?(text: String) {
        let parts = text.split(atByte: ":", omittingEmptySubsequences: false)
        let names = parts.count == 3 ? parts[1].split(atByte: "/", omittingEmptySubsequences: false) : []
        guard names.count == 2, let seconds = Int64(parts[0]), let tenant = TenantID(String(names[0])),
            let product = ProductID(String(names[1])), let device = Hex.decode(String(parts[2])), device.count == 32
        else { return nil }
        self.init(
            start: Timestamp(seconds: seconds), product: ProductRef(tenant: tenant, product: product), device: device)
    }
}

extension ArgumentReading where Value == TrialCursor {
    /// Reads the `next` of a page of trials.
    static var trialCursor: ArgumentReading {
        ArgumentReading { text in
            guard let cursor = TrialCursor(text: text) else { throw UsageError("enter the `next` of a previous page") }
            return cursor
        }
    }
}
