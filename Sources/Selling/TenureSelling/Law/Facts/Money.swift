import TenureCore

/// An amount of money in minor units, such as cents, with its currency.
package struct Money: Sendable, Hashable {
    /// The amount in the currency's minor units; never negative.
    package let amount: Int64

    /// The currency's code in lower case, such as `eur`.
    package let currency: String

    /// Creates an amount. A negative number is replaced by 0.
    package init(_ amount: Int64, _ currency: String) {
        self.amount = max(amount, 0)
        self.currency = currency.asciiLowercased
    }

    /// The amount for people, in the currency's major units: `49.00 EUR`, or `4900 JPY`, which has no minor units.
    package var text: String {
        let digits = Self.minorDigits[currency] ?? 2
        var amount = "\(amount)"
        if digits > 0 {
            amount = String(repeating: "0", count: max(digits + 1 - amount.utf8.count, 0)) + amount
            amount.insert(".", at: amount.index(amount.endIndex, offsetBy: -digits))
        }
        return "\(amount) \(currency.uppercased())"
    }

    /// The number of digits of the minor units, for currencies where the providers don't use two.
    ///
    /// Stripe counts ISK and UGX in hundredths, although they have no minor units.
    private static let minorDigits: [String: Int] = [
        "bif": 0, "clp": 0, "djf": 0, "gnf": 0, "jpy": 0, "kmf": 0, "krw": 0, "mga": 0, "pyg": 0, "rwf": 0, "vnd": 0,
        "vuv": 0, "xaf": 0, "xof": 0, "xpf": 0,
        "bhd": 3, "iqd": 3, "jod": 3, "kwd": 3, "lyd": 3, "omr": 3, "tnd": 3,
    ]
}
