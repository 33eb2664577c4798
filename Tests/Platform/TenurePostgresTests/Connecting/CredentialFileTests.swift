import Foundation
import TenureStore
import TenureTesting
import Testing

@testable import TenurePostgres

@Suite struct `Credential files of a database URL` {
    @Test(
        arguments: [
            (nil, 0o600, "can't read PASSFILE: No such file or directory"),
            ("*:*:*:shop:first\n", 0o644, "PASSFILE isn't used, because other users may open it (mode 644)"),
            ("*:*:*:shop:first\n", 0o640, "(mode 640)"),
            ("*:*:*:other:first\n", 0o600, "PASSFILE has no line for this host, database and user"),
            ("", 0o600, "PASSFILE has no line"),
        ] as [(String?, Int, String)])
    func `the error about a passfile without a usable password names the file and the cause`(
        content: String?, mode: Int, message: String
    ) async throws {
        let server = try PostgresServer(["-c", "fsync=off"])
        let url = try server.makeDatabase()
        try server.sql("CREATE ROLE shop LOGIN PASSWORD 'first'", in: url)
        let rules = "local all shop scram-sha-256\nlocal all all trust\n"
        try Data(rules.utf8).write(to: URL(filePath: server.sql("SHOW hba_file", in: url)))
        try server.sql("SELECT pg_reload_conf()", in: url)
        let folder = try TemporaryFolder()
        let passfile = folder.file("passfile")
        if let content {
            try Data(content.utf8).write(to: URL(filePath: passfile))
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: passfile)
        }
        let error = await #expect(throws: StoreError.self) {
            try await PostgresStore.open(
                .tenure, url: url.replacing("tenure@", with: "shop@") + "&passfile=\(passfile)", mode: .create)
        }
        #expect(error?.code == .unavailable)
        #expect(error?.isConnectionRefusedForGood == true)
        let expected = message.replacing("PASSFILE", with: passfile)
        #expect(error?.message.contains(expected) == true, "\(error?.message ?? "")")
    }

    @Test(arguments: ["sslrootcert", "sslcert", "sslkey"])
    func `an error about an unreadable certificate omits libpq's random bytes`(option: String) throws {
        let folder = try TemporaryFolder()
        for (file, reason) in [
            (folder.file("missing"), "No such file or directory"), (folder.path, "Is a directory"),
        ] {
            let address = try Address("postgres://shop@db/x?\(option)=\(file)", allowingPassword: false)
            let error = StoreError.unconnected(
                address, cause: "could not read root certificate file \"\(file)\": \u{1}\u{FFFD}q")
            #expect(error.message.contains("can't read \(file): \(reason)"), "\(error.message)")
            #expect(!error.description.contains("\u{1}"))
            #expect(error.isConnectionRefusedForGood)
        }
    }

    @Test func `the error about a refused connection names no certificate file`() throws {
        let address = try Address("postgres://shop@db/x?sslrootcert=/nowhere/authority.crt", allowingPassword: false)
        #expect(!StoreError.unconnected(address, cause: "Connection refused").message.contains("authority.crt"))
    }
}
