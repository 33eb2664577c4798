import TenureCore

/// Puts values into bytes of one form, the same whichever engine they came from: what is equal has equal bytes, and
/// nothing else has.
///
/// Numbers have eight bytes, most significant first; texts and bytes have their length before them; what may be nil has
/// a byte before it.
struct CanonicalBytes {
    private(set) var bytes: [UInt8] = []

    mutating func append(_ number: Int64) {
        var bits = UInt64(bitPattern: number)
        for _ in 0..<8 {
            bytes.append(UInt8(truncatingIfNeeded: bits >> 56))
            bits <<= 8
        }
    }

    mutating func append(_ number: UInt64) { append(Int64(bitPattern: number)) }
    mutating func append(_ number: Int) { append(Int64(number)) }
    mutating func append(_ flag: Bool) { bytes.append(flag ? 1 : 0) }
    mutating func append(_ moment: Timestamp) { append(moment.seconds) }
    mutating func append(_ digest: Digest) { bytes += digest.bytes }

    mutating func append(_ text: String) {
        append(text.utf8.count)
        bytes += text.utf8
    }

    mutating func append(_ other: [UInt8]) {
        append(other.count)
        bytes += other
    }

    mutating func append(_ product: ProductRef) {
        append(product.tenant.text)
        append(product.product.text)
    }

    mutating func append(_ activation: ActivationID) {
        append(Int64(bitPattern: activation.high))
        append(Int64(bitPattern: activation.low))
    }

    mutating func append<Value>(_ value: Value?, _ append: (inout CanonicalBytes, Value) -> Void) {
        self.append(value != nil)
        if let value { append(&self, value) }
    }

    mutating func append(_ number: Int?) { append(number) { $0.append($1) } }
    mutating func append(_ moment: Timestamp?) { append(moment) { $0.append($1) } }
    mutating func append(_ text: String?) { append(text) { $0.append($1) } }
    mutating func append(_ digest: Digest?) { append(digest) { $0.append($1) } }
    mutating func append(_ activation: ActivationID?) { append(activation) { $0.append($1) } }
}
