/// A parser of bytes from outside, and what must hold for any input.
struct FuzzTarget: Sendable {
    let name: String
    /// The longest input that the fuzzer makes, in bytes. Short inputs are faster and reach as much code.
    let longest: Int
    /// How many times fewer inputs this target gets than a fast one. Set it for targets that sign or allocate much.
    let cost: Int
    let check: @Sendable ([UInt8]) -> Void

    init(_ name: String, longest: Int, cost: Int = 1, check: @escaping @Sendable ([UInt8]) -> Void) {
        self.name = name
        self.longest = longest
        self.cost = cost
        self.check = check
    }
}

/// Ends the program if a property of a parser doesn't hold. Unlike `precondition`, it also prints why in an optimised
/// build.
@inline(__always)
func expect(_ holds: @autoclosure () -> Bool, _ message: @autoclosure () -> String) {
    if !holds() { fail(message()) }
}

@inline(never)
func fail(_ message: String) -> Never {
    print("fuzz: \(message)")
    fatalError(message)
}

/// The text of an input that is UTF-8, as callers of a parser of texts have it.
@inline(__always)
func text(_ bytes: [UInt8]) -> String? { String(validating: bytes, as: UTF8.self) }

/// The input with scalars that form one `Character` with a separator: combining and invisible ones behind each separator,
/// prepended ones before it. The first byte chooses which.
func marked(_ bytes: [UInt8]) -> [UInt8] {
    guard let first = bytes.first else { return [] }
    let separators = Array(",;:=&?#@/<>\"'.|\r\n \t".utf8)
    let mark = marks[Int(first) % marks.count]
    return bytes.dropFirst().flatMap { byte in
        guard separators.contains(byte) else { return [byte] }
        return (first & 0x40 == 0 ? [] : mark) + [byte] + (first & 0x80 == 0 ? mark : [])
    }
}

private let marks = ["\u{301}", "\u{600}", "\u{FE0F}", "\u{200D}", "\u{20E3}", "\u{D4E}"].map { Array($0.utf8) }
