import Testing

@testable import TenurePostgres

@Suite struct AddressTests {
    @Test(
        arguments: [
            ("postgres://tenure@db/tenure", []),
            ("postgres://tenure@/tenure?host=/run/postgresql", []),
            (
                "postgres://tenure@one:5432,two:5433/tenure",
                [["host": "one", "port": "5432"], ["host": "two", "port": "5433"]]
            ),
            (
                "postgres://tenure@one,two/tenure",
                [["host": "one", "port": "5432"], ["host": "two", "port": "5432"]]
            ),
            (
                "postgres://tenure@one,two:5433/tenure",
                [["host": "one", "port": "5432"], ["host": "two", "port": "5433"]]
            ),
            ("postgres://tenure@/tenure?host=/a,/b", [["host": "/a"], ["host": "/b"]]),
            (
                "postgres://tenure@/tenure?host=one,two&port=6000",
                [["host": "one", "port": "6000"], ["host": "two", "port": "6000"]]
            ),
            (
                "postgres://tenure@/tenure?host=one,two&hostaddr=192.0.2.1,192.0.2.2",
                [["host": "one", "hostaddr": "192.0.2.1"], ["host": "two", "hostaddr": "192.0.2.2"]]
            ),
            (
                "postgres://tenure@/tenure?hostaddr=192.0.2.1,192.0.2.2",
                [["hostaddr": "192.0.2.1"], ["hostaddr": "192.0.2.2"]]
            ),
        ] as [(String, [[String: String]])])
    func `each host of a database URL with several hosts gets its own connection options`(
        url: String, hosts: [[String: String]]
    ) throws {
        let address = try Address(url, allowingPassword: false)
        #expect(address.hosts.map(\.options) == hosts)
    }
}
