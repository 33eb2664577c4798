import TenureCommandLine

/// `tenure device ...`
enum DeviceCommands {
    static let group = CommandGroup(
        "device", "Plays an iPhone: installs, renews, launches and taps apps of a marketplace.",
        discussion: """
            A simulated device with a folder of its own, to try a marketplace's whole life on a laptop. It asks for \
            licenses exactly as a device does; what is inside a license is Tenure's simulation, which no iPhone accepts.

            Give the device and the server the same --clock FILE, and they share a calendar that 'device day' moves.
            """,
        example: """
            tenure device new phone --server http://127.0.0.1:8080 --clock clock
            tenure device install phone --package packages/game-1
            tenure device day phone --days 29
            tenure device launch phone --item 6483539426
            """,
        commands: [
            DeviceNewCommand.command, DeviceInstallCommand.command, DeviceLaunchCommand.command,
            DeviceDayCommand.command, DeviceRenewCommand.command, DeviceTapCommand.command,
            DeviceListCommand.command, DeviceFleetCommand.command,
        ])
}
