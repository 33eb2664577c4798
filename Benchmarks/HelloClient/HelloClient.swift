import TenureClient

/// The program of `bench-hello`, with licensing.
@main struct HelloClient {
    static func main() async throws {
        let configuration = LicenseConfiguration(server: "http://127.0.0.1:1", tenant: "acme", product: "notes")
        let manager = try LicenseManager(configuration)
        await manager.checkOnLaunch()
        print("Hello", manager.state)
    }
}
