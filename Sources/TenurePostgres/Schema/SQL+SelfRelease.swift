extension SQL {
    /// Who gave a seat back, and how far holders may release devices; both unknown for what was there before.
    static let selfRelease = SQL(
        """
        ALTER TABLE activations ADD COLUMN released_by text COLLATE "C"
            CHECK (released_by IN ('device', 'holder', 'operator'));
        ALTER TABLE policies ADD COLUMN self_release_cooldown_days bigint;
        ALTER TABLE policies ADD COLUMN self_release_per_year bigint;
        """)
}
