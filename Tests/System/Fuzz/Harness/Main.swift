import Foundation

/// Prints the targets of this program (name, longest input, cost) if `FUZZ_TARGET` is unset, and exits.
@_cdecl("LLVMFuzzerInitialize")
public func chooseTarget(_ count: UnsafeMutablePointer<CInt>?, _ words: UnsafeMutableRawPointer?) -> CInt {
    guard ProcessInfo.processInfo.environment["FUZZ_TARGET"] == nil else { return 0 }
    for target in targets { print(target.name, target.longest, target.cost) }
    exit(0)
}

/// Gives an input of the fuzzer to the chosen target.
@_cdecl("LLVMFuzzerTestOneInput")
public func check(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    chosen(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}

private let chosen: @Sendable ([UInt8]) -> Void = {
    let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? ""
    guard let target = targets.first(where: { $0.name == name }) else { fail("this program has no target \(name)") }
    return target.check
}()
