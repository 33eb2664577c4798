import TenureStore
import Testing

/// Tests how the errors of closures that the store's API calls become ``StoreError``.
@Suite struct `Errors of a closure` {
    @Test func `mapping a closure's errors to store errors leaves a store error unchanged`() {
        let thrown = StoreError(.taken, "Taken.", cause: "UNIQUE", taken: "shelves.by_name", meaning: "name_taken")
        let error = #expect(throws: StoreError.self) { try storeErrors { throw thrown } }
        #expect(error?.code == .taken)
        #expect(error?.description == "store_taken: Taken. (UNIQUE)")
        #expect(error?.taken == "shelves.by_name")
        #expect(error?.meaning == "name_taken")
    }

    @Test func `mapping a closure's errors to store errors keeps only the type's name of any other error`() {
        let error = #expect(throws: StoreError.self) { try storeErrors { throw Foreign(secret: "k-1234") } }
        #expect(error?.code == .failed)
        #expect(error?.cause == "Foreign")
        #expect(error?.description.contains("k-1234") == false)
    }

    @Test func `mapping a closure's errors to store errors returns the closure's result if it doesn't throw`() throws {
        #expect(try storeErrors { 7 } == 7)
    }
}

private struct Foreign: Error {
    let secret: String
}
