/// Reserves 18 KB for the functions that the current task calls from now on.
///
/// Swift takes the memory of a task's asynchronous functions from blocks of 1 KB. The deep call of an activation or a
/// renewal needs twenty of them. A task keeps a block for its next call, and a function that needs more memory gets a
/// block of that size. So a task that calls this function first has one block for all of its calls.
@inline(never)
func reserveTaskMemory() async {
    var memory = InlineArray<18_432, UInt8>(repeating: 0)
    unsafe withUnsafeMutableBytes(of: &memory) { unsafe use($0) }
}

/// Without a use, the compiler would remove the memory.
@inline(never)
private func use(_ memory: UnsafeMutableRawBufferPointer) {
    unsafe memory.storeBytes(of: 0, as: UInt8.self)
}
