import TenureServerKit
import TenureStore
import Testing

@Suite struct ServerErrorTests {
    @Test(arguments: [
        (StoreError(.full, "The disk is full.", cause: "SQLITE_FULL"), "store_full: The disk is full. (SQLITE_FULL)"),
        (StoreError(.failed, "It failed.", cause: "I/O"), "store_failed: It failed. (I/O)"),
        (StoreError(.failed, "It failed."), "store_failed: It failed."),
        (StoreError(.clockInDoubt, "The clock is wrong."), "clock_in_doubt: The clock is wrong."),
        (StoreError(.corrupt, "It's damaged.", cause: "page 3"), "store_failed: It's damaged. (store_corrupt: page 3)"),
        (StoreError(.corrupt, "It's damaged."), "store_failed: It's damaged. (store_corrupt)"),
    ])
    func `the description of a server error has its store error's message once`(error: StoreError, description: String)
    {
        #expect(ServerError(error).description == description)
    }
}
