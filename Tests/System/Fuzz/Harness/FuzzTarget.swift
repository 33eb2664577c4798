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
